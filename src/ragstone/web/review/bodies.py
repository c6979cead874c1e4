"""What requests of the review page carry."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from ragstone.web.review.reviews import Said

QueueName = Literal["sample", "open", "against", "flipped", "failed", "settle"]
Number = Annotated[int, Field(ge=0, le=1 << 31)]


class LabelBody(BaseModel):
    """One verdict."""

    model_config = ConfigDict(extra="forbid")
    item: Number
    verdict: Literal["stated", "absent", "denied", "unsure"]
    queue: QueueName = "open"
    comment: str = Field("", max_length=2000)
    quote: tuple[Number, Number] | None = Field(None, description="where the answer says it, in characters")
    seconds: float | None = Field(None, ge=0, le=86400)
    gold: str = Field("", max_length=2000, description="how the point should read instead")
    synonyms: list[Annotated[str, Field(max_length=100)]] = Field([], max_length=8)

    def said(self, *, settles: bool = False) -> Said:
        """Return the verdict as the reviews take it."""
        given = self.model_dump(exclude={"item", "queue", "synonyms"})
        return Said(number=self.item, synonyms=tuple(self.synonyms), settles=settles, **given)


class UndoBody(BaseModel):
    """Where a reviewer is when they take their last verdict back."""

    model_config = ConfigDict(extra="forbid")
    queue: QueueName = "open"


class WithdrawBody(BaseModel):
    """A verdict that turned out to be wrong."""

    model_config = ConfigDict(extra="forbid")
    item: Number
    reviewer: str = Field(max_length=60)


class DraftsBody(BaseModel):
    """A dataset of drafted questions."""

    model_config = ConfigDict(extra="forbid")
    dataset: str = Field(max_length=500)


class DraftBody(BaseModel):
    """A decision about a drafted question."""

    model_config = ConfigDict(extra="forbid")
    dataset: str = Field(max_length=500)
    id: str = Field(max_length=500)
    accept: bool
