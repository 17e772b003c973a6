"""Uses the langsmith client as an evaluation script would, and prints what it found as one line of JSON."""

import json
import sys
import time
import uuid
import warnings
from datetime import datetime, timedelta, timezone

from langsmith import Client, evaluate, traceable
from langsmith.run_helpers import tracing_context
from langsmith.utils import LangSmithNotFoundError

warnings.simplefilter("default")
# Their replacements are routes of /api/v2. The client calls itself with `metadata`.
warnings.filterwarnings("ignore", message=r"(list_runs|read_run)\(\) is deprecated")
warnings.filterwarnings("ignore", message="The following arguments are no longer used")

client = Client(api_url=sys.argv[1], api_key="any")
found = {}


def until(read, holds, seconds=60):
    """The first answer for which `holds`. The server counts and indexes a moment after it has acknowledged."""
    end = time.monotonic() + seconds
    while True:
        answer = read()
        if holds(answer):
            return answer
        if time.monotonic() > end:
            raise AssertionError(f"it did not come within {seconds} s; the last answer was {answer}")
        time.sleep(0.05)


def refused(call):
    try:
        call()
    except LangSmithNotFoundError:
        return "not found"
    return "found"


# Datasets and examples.
name = f"sums-{uuid.uuid4()}"
dataset = client.create_dataset(name, description="Adding", metadata={"kind": "sums"})
created = client.create_examples(
    dataset_id=dataset.id,
    examples=[
        {"inputs": {"a": a, "b": b}, "outputs": {"sum": a + b}, "metadata": {"size": a}, "split": "train"}
        for a, b in [(1, 2), (3, 4), (5, 6)]
    ],
)
found["created"] = created["count"]
single = client.create_example(
    inputs={"a": 7, "b": 8}, outputs={"sum": 0}, dataset_id=dataset.id, split=["test"], metadata={"size": 7}
)
client.update_example(single.id, outputs={"sum": 15}, metadata={"size": 70})
client.update_examples(dataset_id=dataset.id, updates=[{"id": single.id, "metadata": {"size": 7}}])
found["has"] = [client.has_dataset(dataset_name=name), client.has_dataset(dataset_name=f"no-{name}")]
found["dataset"] = client.read_dataset(dataset_name=name).example_count
found["listed"] = [one.name == name for one in client.list_datasets(dataset_name=name, metadata={"kind": "sums"})]
found["sums"] = sorted(one.outputs["sum"] for one in client.list_examples(dataset_name=name))
found["test"] = [one.metadata for one in client.list_examples(dataset_name=name, splits=["test"])]
found["large"] = [one.inputs["a"] for one in client.list_examples(dataset_id=dataset.id, metadata={"size": 5})]
found["splits"] = sorted(client.list_dataset_splits(dataset_name=name))
client.update_dataset_splits(dataset_name=name, split_name="small", example_ids=[created["example_ids"][0]])
found["small"] = len(list(client.list_examples(dataset_name=name, splits=["small"])))
versions = list(client.list_dataset_versions(dataset_name=name))
found["versions"] = len(versions)
client.update_dataset_tag(dataset_name=name, as_of=versions[-1].as_of, tag="first")
found["first"] = len(list(client.list_examples(dataset_name=name, as_of="first")))
found["difference"] = len(
    client.diff_dataset_versions(
        dataset_name=name, from_version=versions[-1].as_of, to_version=versions[0].as_of
    ).examples_added
)


# evaluate(), again on the experiment that it made, and a comparison of two.
@traceable(run_type="tool")
def add(a, b):
    return a + b


def target(inputs):
    return {"sum": add(inputs["a"], inputs["b"]) + (1 if inputs["a"] == 3 else 0)}


def correct(outputs, reference_outputs):
    return outputs["sum"] == reference_outputs["sum"]


def distance(run, example):
    return {"key": "distance", "score": run.outputs["sum"] - example.outputs["sum"], "comment": "how far off"}


def share_correct(outputs, reference_outputs):
    right = [one["sum"] == wanted["sum"] for one, wanted in zip(outputs, reference_outputs)]
    return {"key": "share_correct", "score": sum(right) / len(right)}


def run_experiment(prefix):
    results = evaluate(
        target,
        data=name,
        evaluators=[correct, distance],
        summary_evaluators=[share_correct],
        experiment_prefix=prefix,
        description="Adds",
        metadata={"model": "adder"},
        max_concurrency=2,
        client=client,
    )
    rows = list(results)
    client.flush()
    return results.experiment_name, rows


first, rows = run_experiment("first")
found["scores"] = sorted(
    [row["example"].inputs["a"], *(one.score for one in row["evaluation_results"]["results"])] for row in rows
)
project = until(
    lambda: client.read_project(project_name=first, include_stats=True),
    lambda one: one.run_count == 4
    and (one.feedback_stats or {}).get("correct", {}).get("n") == 4
    and "share_correct" in (one.session_feedback_stats or {}),
)
found["project"] = {
    "correct": project.feedback_stats["correct"]["avg"],
    "distance": project.feedback_stats["distance"]["avg"],
    "share_correct": project.session_feedback_stats["share_correct"]["avg"],
    "dataset": project.reference_dataset_id == dataset.id,
    "description": project.description,
    "model": project.metadata["model"],
    "errors": project.error_rate,
}
found["experiments"] = [one.name == first for one in client.list_projects(reference_dataset_id=dataset.id)]
roots = list(client.list_runs(project_name=first, is_root=True))
found["roots"] = sorted(run.outputs["sum"] for run in roots)
found["tools"] = len(list(client.list_runs(project_name=first, run_type="tool")))
found["filtered"] = len(list(client.list_runs(project_name=first, filter='eq(name, "add")')))
found["wrong"] = [
    run.inputs["inputs"]["a"] if "inputs" in run.inputs else run.inputs["a"]
    for run in client.list_runs(
        project_name=first, is_root=True, filter='and(eq(feedback_key, "correct"), eq(feedback_score, 0))'
    )
]
run = client.read_run(roots[0].id, load_child_runs=True)
found["children"] = [one.name for one in run.child_runs]
found["run"] = [run.status, run.error, run.reference_example_id is not None, run.total_tokens]
feedback = list(client.list_feedback(run_ids=[run.id for run in roots]))
found["feedback"] = sorted({one.key for one in feedback}), len(feedback)
found["comments"] = {one.comment for one in feedback if one.key == "distance"} == {"how far off"}
found["stats"] = client.get_run_stats(project_names=[first], is_root=True)["run_count"]

evaluate(first, evaluators=[lambda outputs: {"key": "positive", "score": outputs["sum"] > 0}], client=client)
client.flush()
found["again"] = until(
    lambda: client.read_project(project_name=first, include_stats=True).feedback_stats.get("positive", {}).get("n"),
    lambda count: count == 4,
)
second, _ = run_experiment("second")
until(lambda: client.read_project(project_name=second, include_stats=True).run_count, lambda count: count == 4)


def prefer_first(runs, example):
    return {"key": "preferred", "scores": {run.id: 1 - at for at, run in enumerate(runs)}}


compared = evaluate((first, second), evaluators=[prefer_first], client=client, randomize_order=False)
found["compared"] = len(list(compared))

# Runs and feedback by hand: one after the other, in batches, and as parts.
traces = f"traces-{uuid.uuid4()}"
now = datetime.now(timezone.utc)


def row(number, **more):
    run_id = uuid.uuid4()
    return {
        "id": run_id,
        "trace_id": run_id,
        "dotted_order": f"{now.strftime('%Y%m%dT%H%M%S%fZ')}{run_id}",
        "name": f"row {number}",
        "run_type": "llm",
        "inputs": {"number": number},
        "session_name": traces,
        "start_time": now,
        **more,
    }


with tracing_context(enabled=True, client=client, project_name=traces):
    add(1, 2)
client.flush()
parts = [row(number) for number in range(3)]
# The client takes the large members out of what it gets.
client.multipart_ingest(create=[dict(part) for part in parts])
client.multipart_ingest(
    update=[
        {
            **{field: part[field] for field in ("id", "trace_id", "dotted_order")},
            "outputs": {"number": -part["inputs"]["number"]},
            "end_time": now + timedelta(seconds=1),
            "extra": {"metadata": {"part": True}},
            "events": [{"name": "end", "time": now.isoformat()}],
        }
        for part in parts
    ]
)
batch = row(3, outputs={"number": -3}, end_time=now + timedelta(seconds=1))
client.batch_ingest_runs(create=[dict(batch)])
failed = row(4)
client.create_run(
    failed["name"], failed["inputs"], "llm", project_name=traces, id=failed["id"], start_time=now
)
client.update_run(failed["id"], error="it failed", end_time=now + timedelta(seconds=1))
client.flush()
done = until(
    lambda: list(client.list_runs(project_name=traces)),
    lambda runs: len(runs) == 6 and all(one.end_time is not None for one in runs),
)
found["traces"] = sorted([one.name, one.status] for one in done)
found["outputs"] = sorted(one.outputs["number"] for one in done if one.outputs and "number" in one.outputs)
found["errors"] = [one.error for one in client.list_runs(project_name=traces, error=True)]
found["latest"] = len(list(client.list_runs(project_name=traces, start_time=now - timedelta(hours=1), limit=2)))
opinion = client.create_feedback(
    parts[0]["id"],
    "helpful",
    score=0.5,
    comment="fine",
    trace_id=parts[0]["id"],
    session_id=client.read_project(project_name=traces).id,
)
client.flush()
until(lambda: list(client.list_feedback(run_ids=[parts[0]["id"]])), lambda all_of_it: len(all_of_it) == 1)
client.update_feedback(opinion.id, score=1, comment="better")
changed = client.read_feedback(opinion.id)
found["opinion"] = [changed.score, changed.comment, changed.key]
client.delete_feedback(opinion.id)
found["opinions"] = len(list(client.list_feedback(run_ids=[parts[0]["id"]])))

# Deleting.
client.delete_example(single.id)
client.delete_examples([created["example_ids"][1]])
found["left"] = len(list(client.list_examples(dataset_name=name)))
client.delete_project(project_name=second)
client.delete_project(project_name=traces)
client.delete_dataset(dataset_name=name)
found["gone"] = [
    refused(lambda: client.read_dataset(dataset_name=name)),
    refused(lambda: client.read_project(project_name=second)),
    refused(lambda: client.read_project(project_name=first)),
]
client.cleanup()

print(json.dumps(found))
