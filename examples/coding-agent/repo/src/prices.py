"""Prices of a small shop."""


def gross(net: float, rate: float = 0.19) -> float:
    """The price with tax."""
    return round(net * (1 + rate), 2)


def total(items: list[float]) -> float:
    return sum(gross(item) for item in items)
