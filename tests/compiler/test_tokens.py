"""The fast lexer agrees with the grammar's, on every SIDL file there is and on odd texts."""

ODD = [
    "implements-all implements- all implements -all implements-allx row-majors column-major row-",
    "a-b inout-in /**/ /***/ /** x */ /* y */ // z",
    "// ends without a newline",
    "/* never /* closed",
    "/** never closed",
    "x/y / * */ // \r\n y \r z \f\v\t{}();,.<>",
    "_a a_ a1 1a 1.a 1.5 .5 1.2.3 'c' '\\n' \"s\\\"\" \"open",
    "caf\u00e9 \u00e9 /** \u00e9 */",
    "\ufeffpackage \ufeff",
    "%attrib{x} % attrib [Ext] [ Ext ] == = != ! <<< << <= < >>> >= ** * @ #",
]


def test_same_tokens(build_dir, run, root, tmp_path):
    files = [*root.glob("runtime/sidl/*.sidl"), *root.glob("tests/errors/*.sidl")]
    files += root.glob("examples/*/*.sidl")
    assert len(files) > 50
    for i, text in enumerate(ODD):
        path = tmp_path / f"odd{i}.sidl"
        path.write_bytes(text.encode())
        files.append(path)
    run([build_dir / "bin" / "sidl_token_test", *files])
