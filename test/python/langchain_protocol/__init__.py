"""Stands for the package langchain-protocol, which contains only types. No registry that we can rely on has it."""

from typing import Any


def __getattr__(name: str) -> Any:
    return Any
