"""Where the time of a remote call goes, type by type: marshal, send, dispatch, unmarshal, reply.

The layers do not overlap in a blocking call, so the bandwidth of the whole follows from theirs:
1/B = 1/B_marshal + 1/B_send + 1/B_dispatch + 1/B_unmarshal + 1/B_reply, each B being the bytes of
the argument, there and back, through the time in that layer. Prints that B beside the measured one,
and draws the times. layers/layers.cpp says how each layer is measured.
"""

import argparse
import contextlib
import json
from pathlib import Path

import tables
from run import HERE, TRANSPORTS, build, built_transports, on_core, run, shinar_server, yardstick

LAYERS = ("marshal", "send", "dispatch", "unmarshal", "reply")
SIZES = (1 << 10, 64 << 10, 1 << 20)
# In the tables of other transports than the first: arrays of other numbers are as those of doubles.
BRIEF = ("struct", "object", "bool", "double", "string")


def measure(stage, work, transport, core, repeats, seconds, sizes):
    export = "layers.Target=liblayers.so"
    with contextlib.ExitStack() as servers:
        _, url = servers.enter_context(shinar_server(stage, work, core, transport, export))
        raw = servers.enter_context(yardstick(work, core, transport, "same"))
        command = [work / "bench_layers", url, raw, repeats, seconds, *sizes]
        text = run(command, **on_core(core))
    rows = []
    for row in map(json.loads, text.splitlines()):
        row["transport"] = transport
        payload = 2 * row["bytes"]
        inverse = [row[f"{layer}_us"] / payload for layer in LAYERS]
        row["model_mb_per_s"] = 1 / sum(inverse)
        row["measured_mb_per_s"] = payload / row["total_us"]
        rows.append(row)
    return rows


def tables_of(rows):
    """One for each transport."""
    for i, name in enumerate(dict.fromkeys(row["transport"] for row in rows)):
        _, _, how, beside = TRANSPORTS[name]
        yield ""
        yield f"{name}: calls {how}; send and reply: {beside}"
        yield ""
        chosen = [row for row in rows if row["transport"] == name]
        yield from table([row for row in chosen if i == 0 or row["type"] in BRIEF])


def table(rows):
    yield (
        f"{'type':<10}{'bytes':>9}"
        + "".join(f"{layer:>11}" for layer in LAYERS)
        + (f"{'sum':>10}{'call':>10}{'B model':>10}{'B':>10}{'ratio':>7}")
    )
    for row in rows:
        times = [row[f"{layer}_us"] for layer in LAYERS]
        yield (
            f"{row['type']:<10}{row['bytes']:>9}"
            + "".join(f"{us:>11.2f}" for us in times)
            + (
                f"{sum(times):>10.1f}{row['total_us']:>10.1f}{row['model_mb_per_s']:>10.1f}"
                f"{row['measured_mb_per_s']:>10.1f}"
                f"{row['measured_mb_per_s'] / row['model_mb_per_s']:>7.2f}"
            )
        )


def draw(rows, path):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    names = list(dict.fromkeys(row["transport"] for row in rows))
    sizes = sorted({row["bytes"] for row in rows if row["bytes"] in SIZES})
    extent = (5 * len(sizes), 4 * len(names))
    figure, axes = pyplot.subplots(len(names), len(sizes), figsize=extent, squeeze=False)
    for name, row_of_axes in zip(names, axes):
        for axis, size in zip(row_of_axes, sizes):
            found = [row for row in rows if row["transport"] == name]
            draw_one(
                axis, [row for row in found if row["bytes"] == size or row["bytes"] not in SIZES]
            )
            axis.set_title(f"{name}: {size >> 10} KiB (struct, object: one)")
    axes[0][0].legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(path, dpi=120)


def draw_one(axis, rows):
    names = [row["type"] for row in rows]
    floor = [0.0] * len(rows)
    for layer in LAYERS:
        heights = [row[f"{layer}_us"] / row["raw_us"] for row in rows]
        axis.bar(names, heights, bottom=floor, label=layer)
        floor = [below + height for below, height in zip(floor, heights)]
    measured = [row["total_us"] / row["raw_us"] for row in rows]
    axis.plot(names, measured, "k_", markersize=14, label="whole call, measured")
    axis.set_ylabel("time / raw echo of as many bytes")
    axis.tick_params(axis="x", rotation=60)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--stage", type=Path, required=True, help="an installation of Shinar")
    parser.add_argument("--work", type=Path, required=True, help="folder to build in")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.1, help="of a sample")
    parser.add_argument("--json", type=Path, help="write the rows to this file")
    parser.add_argument("--quick", action="store_true", help="that it runs")
    parser.add_argument("--results", action="store_true", help="put the table into LAYERS.md")
    options = parser.parse_args()
    if options.quick:
        options.repeats, options.seconds = 1, 0.005

    stage, work = options.stage.resolve(), options.work.resolve()
    build(stage, work, options.quick)
    sizes = SIZES[:2] if options.quick else SIZES
    rows = []
    for name in built_transports(stage, work):
        rows += measure(stage, work, name, 0, options.repeats, options.seconds, sizes)
    lines = ["us, there and back; B in MB/s", *tables_of(rows)]
    print("\n".join(lines))
    draw(rows, work / "layers.png")
    print(f"\ndrawn in {work / 'layers.png'}")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    if options.results:
        command = "make bench-layers BENCH_ARGS=--results"
        tables.put(HERE / "LAYERS.md", command, "\n".join(lines))


if __name__ == "__main__":
    main()
