"""The same plan on a cluster of Ray: the same games, also if a node goes down while they are played."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

import pytest

from ekoes.arena.plan import read_plan
from ekoes.arena.pool import PoolError, cluster_at, local_pool
from ekoes.arena.run import play_some
from tests.unit.arena.test_run import SHORT, timeless

if TYPE_CHECKING:  # it takes seconds to import, on every worker of the tests
    from ray.cluster_utils import Cluster

STORE = 80 * 1024 * 1024

pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # Ray leaves its processes' pipes open
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    """Two nodes with a core each; the first one is home."""
    from ray.cluster_utils import Cluster

    nodes = Cluster(
        initialize_head=True,
        head_node_args={"num_cpus": 1, "object_store_memory": STORE, "include_dashboard": False},
    )
    yield nodes
    nodes.shutdown()  # type: ignore[no-untyped-call]


@pytest.mark.long
def test_two_nodes_play_the_same_games_and_one_that_is_killed_costs_none(cluster: Cluster) -> None:
    import ray

    other = cluster.add_node(num_cpus=1, object_store_memory=STORE)
    plan = read_plan(SHORT.replace("rounds = 12", "rounds = 40"))
    with cluster_at(cluster.address) as hands:
        assert ray.cluster_resources()["CPU"] == 2  # type: ignore[no-untyped-call]
        coming = play_some(plan, range(80), hands)
        first = next(coming)
        cluster.remove_node(other, allow_graceful=False)
        there = [*first, *chain.from_iterable(coming)]
    here = chain.from_iterable(play_some(plan, range(80), local_pool(1)))
    assert timeless(there) == timeless(list(here))


def test_an_unreachable_cluster_is_named_by_its_address() -> None:
    with pytest.raises(PoolError, match=r"no cluster at '127\.0\.0\.1:1'"), cluster_at("127.0.0.1:1"):
        pass
