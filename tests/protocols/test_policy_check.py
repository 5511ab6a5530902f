"""`sidl policy check`: what a policy says, before a server has it."""

import pytest
from policies import role


@pytest.fixture(autouse=True)
def _needs_toml(stage):
    if not (stage / "lib" / "libsidlx_policy.so").exists():
        pytest.skip("built without toml++")


@pytest.fixture
def check(sidl_tool, run, policy):
    """check(*words, status) → what `sidl policy check` says of a policy of two roles."""
    some = ["demo.Board.*", "!demo.Board.reset"]
    alice = role("boards", ["tls:alice", "uid:1000"], {"weight": 2}, create=["demo.*"], call=some)
    path = policy(alice, role("others", ["anyone", "!tls:mallory"], attach=["*"], create=["*"]))

    def do(*words, status=0):
        done = run([sidl_tool, "policy", "check", path, *words], status=status)
        return done.stdout + done.stderr

    return do


def test_check_prints_the_roles(check):
    it = "role 'others'"
    assert check() == (
        "role boards\n  who     tls:alice, uid:1000\n  create  demo.*\n  attach  nothing\n"
        "  call    demo.Board.*, except demo.Board.reset\n  refer   nothing\n  quota   weight 2\n\n"
        "role others\n  who     anyone, except tls:mallory\n  create  *\n  attach  *\n"
        "  call    nothing\n  refer   nothing\n  quota   no limits\n\n"
        f"warning: {it}, which is for anyone, has \"*\" in 'create': no exception is made\n\n"
        f"warning: {it}, which is for anyone, has \"*\" in 'attach': no exception is made\n\n"
        f"warning: {it} may have objects, but call none of their methods: 'call' is empty\n"
    )


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["--who", "tls:alice"], 0, "tls:alice has\nrole boards\n"),
        (["--who", "anyone"], 0, "anyone has\nrole others\n"),
        (["--who", "tls:mallory"], 1, "no: tls:mallory has no role, and is not admitted"),
        (["--who", "uid:1000", "--create", "demo.X"], 0, "yes: by \"demo.*\" in 'create' of role"),
        (["--who", "uid:1000", "--create", "o.X"], 1, "no: nothing in 'create' of role 'boards'"),
        (["--who", "uid:1000", "--call", "demo.Board.reset"], 1,
         "no: by the exception \"!demo.Board.reset\" in 'call' of role 'boards'"),
        (["--who", "uid:1", "--attach", "x"], 0, "yes: by \"*\" in 'attach' of role 'others'"),
        (["--who", "uid:1", "--refer", "x"], 1, "no: nothing in 'refer' of role 'others' fits"),
        (["--call", "demo.Board.set"], 2, "say for whom: --who"),
        (["--who", "alice"], 2, "'alice' is no identity: write tls:NAME"),
        (["--who", "uid:1", "--call", "x", "--attach", "y"], 2, "at a time"),
    ],
)  # fmt: skip
def test_check_answers(check, words, status, said):
    assert said in check(*words, status=status)


@pytest.mark.parametrize(
    ("url", "status"),
    [
        *((f"simhandle://{host}:9", 1)
          for host in ("127.0.0.1", "127.1", "0x7f.1", "[::ffff:127.0.0.1]", "2130706433")),
        ("simhandle://127.0.0.1:09", 1),
        ("simhandle://127.0.0.1:10", 0),
        ("simhandle://127.0.0.1:65545", 1),
        ("nothing", 1),
        ("simhandle+unix:///a/../secret", 1),
        ("simhandle+unix:///a/secret", 0),
    ],
)  # fmt: skip
def test_places_are_compared_as_servers_compare_them(sidl_tool, run, policy, url, status):
    refer = ["*", "!simhandle://127.0.0.1:9", "!simhandle+unix:///secret"]
    path = policy(role("all", ["anyone"], refer=refer))
    run([sidl_tool, "policy", "check", path, "--who", "anyone", "--refer", url], status=status)


def test_spellings_that_fit_nothing(sidl_tool, run, policy):
    refer = ["simhandle://127.1:9", "!simhandle://[::ffff:10.0.0.1]:9", "simhandle://h:*", "h"]
    done = run([sidl_tool, "policy", "check", policy(role("all", ["uid:1"], refer=refer))])
    it = "in 'refer' of role 'all' fits no address"
    assert [line for line in done.stdout.splitlines() if it in line] == [
        f"warning: 'simhandle://127.1:9' {it}: write \"simhandle://127.0.0.1:9\"",
        f"warning: 'h' {it}, as it is no URL of a server",
        f"warning: '!simhandle://[::ffff:10.0.0.1]:9' {it}: write \"simhandle://10.0.0.1:9\"",
    ]


def test_check_of_one_that_is_no_good(sidl_tool, run, policy):
    path = policy("[[role]]\nname = 3\n")
    said = run([sidl_tool, "policy", "check", path], status=2).stderr
    assert f"{path}:2: 'name' must be a text" in said


def test_the_example_of_the_page(root, sidl_tool, run, policy):
    text = (root / "docs" / "policy.md").read_text()
    path = policy(text.split("```toml\n")[1].split("```")[0])
    said = run([sidl_tool, "policy", "check", path]).stdout
    assert "warning" not in said
    command = [sidl_tool, "policy", "check", path, "--who", "uid:1000"]
    said = run([*command, "--call", "demo.Board.reset"], status=1).stdout
    assert said in text
    assert run([*command, "--call", "demo.Board.set"]).stdout.startswith("yes")
