"""The normal, Student's t and binomial distributions: as much of them as intervals and tests need."""

from functools import lru_cache
from math import erfc, exp, inf, lgamma, log, log1p, pi, sqrt

_STEPS = 300
_TINY = 1e-300
_NEAR = 1e-14
_HALVINGS = 80
_STEEPEST = 700.0
_MANY = 10_000
"""Degrees of freedom from which on Student's t is taken as normal."""


def normal_cdf(x: float) -> float:
    """Return the share of a normal distribution below x."""
    return 0.5 * erfc(-x / sqrt(2))


@lru_cache(maxsize=256)
def normal_quantile(p: float) -> float:
    """Return the x below which a share p of a normal distribution lies."""
    if not 0 < p < 1:
        return -inf if p <= 0 else inf
    if p > 0.5:
        return -normal_quantile(1 - p)
    t = sqrt(-2 * log(p))
    x = (2.515517 + 0.802853 * t + 0.010328 * t * t) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t
    for _ in range(3):
        step = (normal_cdf(x) - p) * sqrt(2 * pi) * exp(x * x / 2)
        x -= step / (1 + x * step / 2)
    return x


def beta_share(x: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function: the share of a beta distribution below x."""
    if x <= 0:
        return 0.0
    if x >= 1:
        return 1.0
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x))
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(x, a, b) / a
    return 1 - front * _fraction(1 - x, b, a) / b


def beta_quantile(p: float, a: float, b: float) -> float:
    """Return the x below which a share p of a beta distribution lies."""
    low, high, x = 0.0, 1.0, a / (a + b)
    front = lgamma(a + b) - lgamma(a) - lgamma(b)
    for _ in range(_HALVINGS):
        off = beta_share(x, a, b) - p
        low, high = (x, high) if off < 0 else (low, x)
        slope = exp(min(front + (a - 1) * log(x) + (b - 1) * log1p(-x), _STEEPEST))
        # Newton's step, or half of the way where that would lead out of the bracket.
        nearer = x - off / slope if slope > _TINY else low
        nearer = nearer if low < nearer < high else (low + high) / 2
        if abs(nearer - x) <= _NEAR * nearer or not 0 < nearer < 1:
            return nearer
        x = nearer
    return x


def _fraction(x: float, a: float, b: float) -> float:
    """Sum the continued fraction of the beta function by Lentz's method."""
    c, d = 1.0, 1 / _away(1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, _STEPS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for step in (even, odd):
            d = 1 / _away(1 + step * d)
            c = _away(1 + step / c)
            value *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return value


def _away(value: float) -> float:
    return value if abs(value) > _TINY else _TINY


def t_cdf(x: float, freedom: float) -> float:
    """Return the share of Student's t distribution below x."""
    tail = beta_share(freedom / (freedom + x * x), freedom / 2, 0.5) / 2
    return tail if x < 0 else 1 - tail


@lru_cache(maxsize=1024)
def t_quantile(p: float, freedom: float) -> float:
    """Return the x below which a share p of Student's t distribution lies."""
    if p < 0.5:
        return -t_quantile(1 - p, freedom)
    if freedom > _MANY or p >= 1:
        return normal_quantile(p)
    low, high = 0.0, 2.0
    while t_cdf(high, freedom) < p:
        low, high = high, high * 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if t_cdf(middle, freedom) < p else (low, middle)
    return (low + high) / 2


def coin_cdf(most: int, n: int) -> float:
    """Return the chance of at most so many heads in n throws of a fair coin."""
    if most >= n:
        return 1.0
    return beta_share(0.5, n - most, most + 1) if most >= 0 else 0.0
