"""Characters that act on a terminal, and how all programs show them: sidl, its log, and sidlc."""

# What is in a text, and what is shown of it where a line may not end.
TABLE = [
    (b"\x1b[2J", r"\x1b[2J"),
    (b"\x07", r"\x07"),
    (b"\r", r"\x0d"),
    (b"\x7f", r"\x7f"),
    ("\u0080".encode(), r"\u0080"),
    ("\u009b31m".encode(), r"\u009b31m"),  # CSI, as ESC [
    ("\u061c".encode(), r"\u061c"),
    ("\u200e\u200f".encode(), r"\u200e\u200f"),
    ("\u202a\u202e".encode(), r"\u202a\u202e"),
    ("\u2066\u2069".encode(), r"\u2066\u2069"),
    ("\u2028\u2029".encode(), r"\u2028\u2029"),
    # Ordinary texts, with neighbours of those above.
    (
        "Größe \u00a0\u061d\u200d\u2027\u202f\u2065\u206a 漢字 \U0001f600".encode(),
        "Größe \u00a0\u061d\u200d\u2027\u202f\u2065\u206a 漢字 \U0001f600",
    ),
]
NO_UTF8 = [
    (b"\x9b", r"\x9b"),
    (b"\xff", r"\xff"),
    (b"\xc0\x9b", r"\xc0\x9b"),
    (b"\xe0\x80\x9b", r"\xe0\x80\x9b"),
    (b"\xed\xa0\x80", r"\xed\xa0\x80"),
    (b"\xf4\x90\x80\x80", r"\xf4\x90\x80\x80"),
    (b"\xe2\x80", r"\xe2\x80"),
]
BYTES = b"|".join(raw for raw, _ in TABLE + NO_UTF8) + b"|"
VISIBLE = "|".join(shown for _, shown in TABLE + NO_UTF8) + "|"

# The same without what is no UTF-8, for JSON.
TEXT = "|".join(raw.decode() for raw, _ in TABLE) + "|"
TEXT_VISIBLE = "|".join(shown for _, shown in TABLE) + "|"


def acts(output):
    """What of an output would act on a terminal: there should be nothing."""
    codes = (*range(10), *range(11, 32), *range(0x7F, 0xA0), 0x61C, 0x200E, 0x200F)
    bad = {chr(code) for code in (*codes, *range(0x2028, 0x202F), *range(0x2066, 0x206A))}
    return sorted(bad & set(output))
