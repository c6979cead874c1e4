"""Make tests/data/imports/ragas: run it in an environment that has ragas, as `python ragas_run.py OUT`."""

import json
import os
import sys
import warnings
from pathlib import Path

os.environ["RAGAS_DO_NOT_TRACK"] = "true"
warnings.simplefilter("ignore")

from fiction import FICTIONS, endpoint
from langchain_openai import ChatOpenAI
from ragas import EvaluationDataset, RunConfig, evaluate
from ragas.llms import LangchainLLMWrapper
from ragas.metrics._aspect_critic import AspectCritic
from ragas.metrics._rouge_score import RougeScore
from ragas.metrics._string import ExactMatch, NonLLMStringSimilarity


def main(out: Path) -> None:
    """Score the invented answers; the judge fails on one of them, which Ragas writes as NaN."""
    rows = [
        {
            "user_input": one.question,
            "retrieved_contexts": [one.context],
            "response": one.answer if one.answer is not None else "月湖博物館週一不開放。",
            "reference": one.reference,
        }
        for one in FICTIONS
    ]
    with endpoint() as url:
        model = ChatOpenAI(model="fiction", base_url=url, api_key="none", max_retries=0)
        critic = AspectCritic(
            name="supported", definition="Is the answer supported by the notice?", llm=LangchainLLMWrapper(model)
        )
        result = evaluate(
            EvaluationDataset.from_list(rows),
            metrics=[ExactMatch(), NonLLMStringSimilarity(), RougeScore(), critic],
            run_config=RunConfig(max_retries=1, timeout=20, max_workers=2),
            raise_exceptions=False,
            show_progress=False,
        )
    table = result.to_pandas()
    out.mkdir(parents=True, exist_ok=True)
    table.to_csv(out / "result.csv", index=False)
    table.to_json(out / "result.jsonl", orient="records", lines=True, force_ascii=False)
    print(json.dumps(result._repr_dict, ensure_ascii=False))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
