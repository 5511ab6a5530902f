"""pytest tests/golden --update-golden writes what sidlc generates now into the golden folders."""


def pytest_addoption(parser):
    parser.addoption(
        "--update-golden",
        action="store_true",
        default=False,
        help="replace the golden files by what sidlc generates now",
    )
