"""What is said about imported answers."""

from collections.abc import Mapping

from ragstone.core.language import Text

PHRASES: Mapping[str, Text] = {
    "passed": Text("{tool} let it pass", "{tool} 判为通过"),
    "failed": Text("{tool} let it fail", "{tool} 判为不通过"),
    "mean": Text("{tool} names no verdict; its score is {score}", "{tool} 未给出判定；得分为 {score}"),
    "unscaled": Text(
        "{tool} names no verdict, and none of its scores has a scale of 0 to 1: the case counts as 0 here",
        "{tool} 未给出判定，且没有量程为 0 到 1 的评分：本例在此按 0 计",
    ),
    "lost": Text(
        "{tool} could not score {metric}: it counts as 0 in the case's score",
        "{tool} 未能给出 {metric}：在本例得分中按 0 计",
    ),
    "note": Text("{metric}: {text:short}", "{metric}：{text:short}"),
    "unsaid": Text("{tool} said nothing of this answer", "{tool} 没有评价这个回答"),
}
