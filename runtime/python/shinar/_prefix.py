"""Where Shinar is installed."""

from pathlib import Path

PREFIX = str(Path(__file__).resolve().parents[4])
