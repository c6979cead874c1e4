"""What requests carry, and how answers are sent."""

from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from ragstone.runs.store.codec import encode
from ragstone.runs.store.label import LONGEST_NAME, LONGEST_TAG, MOST_TAGS
from ragstone.web.cases.query import MOST_ROWS, Query
from ragstone.web.history.lines import RunFilter

RunId = Annotated[str, Field(max_length=200)]
MOST_CASES = 10_000_000


class EndpointBody(BaseModel):
    """An address to ask; only those on the allow-list are asked."""

    model_config = ConfigDict(extra="forbid")
    url: str = Field(max_length=500)
    kind: Literal["http_json", "chat"] = "http_json"
    model: str = Field("", max_length=200)


class RunBody(BaseModel):
    """What to evaluate."""

    model_config = ConfigDict(extra="forbid")
    dataset: str = Field(max_length=500, description="a name from /datasets")
    system: str = Field("", max_length=200, description="a name from /systems")
    systems: list[Annotated[str, Field(max_length=200)]] = Field([], max_length=8, description="several of them")
    endpoint: EndpointBody | None = Field(None, description="with system = endpoint")
    contract: str | None = Field(None, max_length=200)
    max_samples: int | None = Field(None, ge=1, le=MOST_CASES)
    repeats: int = Field(1, ge=1, le=100)
    concurrency: int | None = Field(None, ge=1, le=256)
    name: str = Field("", max_length=LONGEST_NAME, description="what to call the run")
    judge: str = Field("", max_length=200, description="who decides what the rules leave open; a name from /judges")


class SystemBody(BaseModel):
    """A service to be asked; only addresses on the allow-list are."""

    model_config = ConfigDict(extra="forbid")
    name: str = Field(max_length=60)
    kind: Literal["http_json", "chat", "lightrag", "ragflow", "dify", "fastgpt"] = "http_json"
    url: str = Field(max_length=500)
    model: str = Field("", max_length=200)
    chat_id: str = Field("", max_length=200)
    key: str = Field("", max_length=500, description="kept in the server's memory only, for as long as it lives")
    key_env: str = Field("", max_length=64, description="the variable of the server's environment that holds the key")


class PingBody(BaseModel):
    """One question to a system."""

    model_config = ConfigDict(extra="forbid")
    system: str = Field(max_length=200)
    dataset: str = Field(max_length=500)
    question: str = Field("", max_length=2000, description="left out, the first case of the dataset")


class RowBody(BaseModel):
    """A row of a dataset, as it should be."""

    model_config = ConfigDict(extra="forbid")
    row: dict[str, Any]


class CasesQuery(BaseModel):
    """Which cases to find."""

    state: str = Field("", max_length=20, description="passed, failed, errored, unparsed, or missed for all but passed")
    tag: str = Field("", max_length=200)
    reason: str = Field("", max_length=200, description="the code of a reason")
    author: str = Field("", max_length=20, description="who gave the verdict: rule, judge or person")
    open: bool = Field(False, description="only cases with a verdict that is open")
    group: str = Field("", max_length=500, description="name=value")
    model: str = Field("", max_length=500)
    metric: str = Field("", max_length=200, description="only cases short of full marks in this metric")
    q: str = Field("", max_length=500, description="text in question, answer or id")
    sort: str = Field("number", max_length=200, description="number, score, latency or a metric; -score downwards")
    after: str = Field("", max_length=200)
    limit: int = Field(50, ge=1, le=MOST_ROWS)

    def address(self) -> str:
        """Return what is asked for as it stands in an address; nothing when nothing is."""
        return _address(self)

    def query(self) -> Query:
        """Return what the index is asked."""
        fields = self.model_dump()
        return Query(text=fields.pop("q"), **fields)


class HistoryQuery(BaseModel):
    """Which runs to list."""

    q: str = Field("", max_length=200, description="words in the name, id, dataset, model or tags")
    dataset: str = Field("", max_length=500)
    system: str = Field("", max_length=500)
    tag: str = Field("", max_length=200)
    state: str = Field("", max_length=20)
    archived: bool = Field(False, description="those put away, too")

    def address(self) -> str:
        """Return what is asked for as it stands in an address."""
        return _address(self)

    def run_filter(self) -> RunFilter:
        """Return the filter of the list of runs."""
        return RunFilter(**self.model_dump())


class LabelBody(BaseModel):
    """What to call a run; what is left out stays."""

    model_config = ConfigDict(extra="forbid")
    name: str | None = Field(None, max_length=LONGEST_NAME)
    tags: list[Annotated[str, Field(max_length=LONGEST_TAG)]] | None = Field(None, max_length=MOST_TAGS)
    archived: bool | None = None


class JudgeBody(BaseModel):
    """Who is to decide."""

    model_config = ConfigDict(extra="forbid")
    judge: str = Field(max_length=200, description="a name from /judges")


class ResumeBody(BaseModel):
    """How to go on."""

    model_config = ConfigDict(extra="forbid")
    retry_failed: bool = False


def _address(asked: BaseModel) -> str:
    given = asked.model_dump(exclude_defaults=True, exclude={"after", "limit"})
    return urlencode({name: "true" if value is True else value for name, value in given.items()})


def answer(value: object, status: int = 200) -> Response:
    """Send a value as JSON."""
    return Response(encode(value), status, media_type="application/json")
