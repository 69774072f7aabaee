"""compose.yaml: what it starts, with which settings, and that what it names is there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from tests.docs.test_operations import FOLDER, settings
from tests.services.redis import redis_server

DEPLOY = Path(__file__).parents[2] / "deploy"
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
DOCKERFILE = (DEPLOY / "Dockerfile").read_text("utf-8")
OURS = [service for service in SERVICES.values() if service["image"] == "ekoes"]


def test_every_volume_network_and_service_that_is_named_is_there() -> None:
    for service in SERVICES.values():
        named = {volume.partition(":")[0] for volume in service.get("volumes", ())}
        files = {name for name in named if name.startswith("./") and name != "./certificates"}
        assert [name for name in files if not (DEPLOY / name).exists()] == []
        assert named - files - {"./certificates"} <= COMPOSE["volumes"].keys()
        assert set(service["networks"]) <= COMPOSE["networks"].keys()
        assert service.get("depends_on", {}).keys() <= SERVICES.keys()
    for service in OURS:
        assert (DEPLOY / service["build"]["context"] / service["build"]["dockerfile"]).is_file()


def test_proxy_sends_people_to_all_processes_and_they_alone_reach_the_database() -> None:
    asked = re.findall(
        r"^ +server (\w+):8765;", (DEPLOY / "nginx" / "compose.conf").read_text("utf-8"), re.MULTILINE
    )
    assert sorted(asked) == sorted(name for name, one in SERVICES.items() if one in OURS)
    assert [name for name, one in SERVICES.items() if "ports" in one] == ["proxy"]
    assert COMPOSE["networks"]["inside"] == {"internal": True}
    assert SERVICES["database"]["networks"] == ["inside"]


def test_processes_are_known_to_each_other_by_their_names() -> None:
    for name, service in SERVICES.items():
        if service in OURS:
            assert service["environment"]["EKOES_CLUSTER"] == f"{name}:8765"
            assert service["environment"]["EKOES_REDIS"] == "redis://redis:6379/0"
    assert len(OURS) == 2
    shared = [set(service["volumes"]) for service in OURS]
    assert shared[0] == shared[1]


def test_redis_takes_its_settings_and_is_reachable_from_the_host_alone() -> None:
    redis = SERVICES["redis"]
    program, *words = redis["command"]
    assert (program, redis["networks"]) == ("redis-server", ["inside"])
    assert redis["healthcheck"]["test"] == ["CMD", "redis-cli", "ping"]
    with redis_server(*words) as server, server.client() as client:
        assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "allkeys-lru"}
        assert client.config_get("maxmemory") == {"maxmemory": str(128 << 20)}


def test_settings_are_those_of_the_program() -> None:
    known = settings() | set(
        re.findall(r"^\| `([A-Z_]+)` \|", (FOLDER / "running.md").read_text(), re.MULTILINE)
    )
    given = {name for service in OURS for name in service["environment"]}
    given |= set(re.findall(r"\b(EKOES_[A-Z_]+)=", DOCKERFILE))
    assert given - known == set()


def test_secrets_come_from_beside_the_file_and_processes_may_do_little() -> None:
    text = (DEPLOY / "compose.yaml").read_text("utf-8")
    assert re.findall(r"PASSWORD: (?!\"?\$\{)", text) == []
    for service in OURS:
        assert service["read_only"]
        assert service["cap_drop"] == ["ALL"]
    assert re.search(r"^USER ekoes$", DOCKERFILE, re.MULTILINE)
