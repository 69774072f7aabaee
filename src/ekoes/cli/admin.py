"""The commands of a server's administrator: ``ekoes admin …``."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from getpass import getuser
from typing import TYPE_CHECKING, Annotated

import typer

from ekoes.cli.console import emit, emit_json, need_extra, write_json
from ekoes.cli.database import Data, Database, data_folder, opened
from ekoes.errors import NotationError, StorageError

if TYPE_CHECKING:
    from ekoes.storage.schema import ModeratorActionRow
    from ekoes.storage.store import Store

_NAME = typer.Argument(metavar="NAME", help="The name of an account.", show_default=False)
Name = Annotated[str, _NAME]
Reported = Annotated[
    int | None,
    typer.Option(min=1, metavar="NUMBER", help="Instead of a name: the user this report is about."),
]
Most = Annotated[int, typer.Option(min=1, help="How many, the latest.")]
Why = Annotated[str, typer.Option(metavar="TEXT", help="The reason, for the audit log.")]

_LONGEST_BY = 40


def whom(store: Store, name: str | None, report: int | None) -> tuple[str, str]:
    """Return the id and name of the user of a name or report. Raises EkoesError if there is none."""
    if (name is None) == (report is None):
        raise NotationError("name an account, or a report with --report", key="NAME")
    if report is not None:
        reported = store.moderation.reported(report)
        return reported.about, reported.name
    account = store.people.named(name or "")
    if account is None:
        raise NotationError(f"no account is called {name!r:.60}", key="NAME")
    return account.user_id, account.name


def action(did: str, to: tuple[str, str], words: str) -> ModeratorActionRow:
    """Return the entry of the audit log for an action now, by the user of this terminal."""
    from ekoes.storage.schema import ModeratorActionRow

    return ModeratorActionRow(datetime.now(UTC), f"{_user()} (command line)"[:_LONGEST_BY], did, *to, words)


def _user() -> str:
    try:
        return getuser()
    except (KeyError, OSError):  # a user without a name
        return "unknown"


def moderator(
    name: Name,
    remove: Annotated[bool, typer.Option("--remove", help="Remove the role.")] = False,
    why: Why = "",
    data: Data = None,
    database: Database = "",
) -> None:
    """Make an account a moderator, or remove the role. Takes effect at once."""
    with opened(data, database) as store:
        to = whom(store, name, None)
        did = action("unmake-moderator" if remove else "make-moderator", to, why)
        store.moderation.moderator(did, made=not remove)
    emit_json({"name": to[1], "moderator": not remove})


def silence(
    name: Annotated[str | None, _NAME] = None,
    report: Reported = None,
    hours: Annotated[float, typer.Option(min=0.01, max=24 * 3650, help="For how many hours.")] = 24,
    end: Annotated[bool, typer.Option("--end", help="End it now.")] = False,
    why: Why = "",
    data: Data = None,
    database: Database = "",
) -> None:
    """Mute an account, or the guest of a report, for a time. Takes effect from the next message on."""
    with opened(data, database) as store:
        to = whom(store, name, report)
        done = action("unsilence" if end else "silence", to, why)
        until = None if end else done.at + timedelta(hours=hours)
        if until is not None:
            done.words = "; ".join(filter(None, [f"until {until:%Y-%m-%d %H:%M} UTC", why]))
        store.moderation.silence(done, until)
    emit_json({"name": to[1], "silenced_until": None if until is None else until.isoformat()})


def close(
    name: Name,
    reopen: Annotated[bool, typer.Option("--reopen", help="Open the account again.")] = False,
    why: Why = "",
    data: Data = None,
    database: Database = "",
) -> None:
    """Close an account, or open it again. A running server ends its sessions within two seconds."""
    with opened(data, database) as store:
        to = whom(store, name, None)
        if reopen:
            store.moderation.reopen(action("reopen", to, why))
        else:
            store.moderation.close(action("close", to, why))
    emit_json({"name": to[1], "closed": not reopen})


def reports(
    every: Annotated[bool, typer.Option("--all", help="Also list resolved reports.")] = False,
    most: Most = 50,
    data: Data = None,
    database: Database = "",
) -> None:
    """List reports, latest first, each with the last chat messages before it."""
    with opened(data, database) as store:
        found = store.moderation.reports(is_open=not every, most=most)
    emit(write_json(report.to_json()) for report in found)


def report(
    number: Annotated[
        int, typer.Argument(min=1, help="As listed by `ekoes admin reports`.", show_default=False)
    ],
    resolve: Annotated[str | None, typer.Option(metavar="TEXT", help="Resolve it with this outcome.")] = None,
    data: Data = None,
    database: Database = "",
) -> None:
    """Show a report, or resolve it."""
    with opened(data, database) as store:
        report = store.moderation.reported(number)
        if resolve is not None:
            done = action("resolve", (report.about, report.name), f"report {number}: {resolve}")
            store.moderation.resolve(done, number, resolve)
            report = store.moderation.reported(number)
    emit_json(report.to_json())


def study(
    study_id: Annotated[
        str, typer.Argument(metavar="ID", help="The study, as in its address.", show_default=False)
    ],
    remove: Annotated[bool, typer.Option("--remove", help="Delete it.")] = False,
    why: Why = "",
    data: Data = None,
    database: Database = "",
) -> None:
    """Show who owns a study and when it was changed, or delete it."""
    with opened(data, database) as store:
        found = store.studies.get(study_id)
        owner = store.people.name(found.user_id)
        if remove:
            words = "; ".join(filter(None, [f"study {found.id}: {found.title}", why]))
            done = action("remove-study", (found.user_id, owner or ""), words)
            store.moderation.remove_study(done, found.id)
    about = {"study": found.id, "title": found.title, "by": owner, "changed": found.changed_at.isoformat()}
    emit_json(about | {"removed": remove})


def audit(
    most: Most = 50,
    data: Data = None,
    database: Database = "",
) -> None:
    """Print the audit log, oldest first: when, by whom, what, to whom and why."""
    with opened(data, database) as store:
        found = store.moderation.actions(most=most)
    emit(write_json(done.to_json()) for done in found)


def key(
    renew: Annotated[
        bool, typer.Option("--renew", help="Sign with a new key and keep accepting the old ones.")
    ] = False,
    forget: Annotated[bool, typer.Option("--forget", help="Accept only the newest key.")] = False,
    data: Data = None,
) -> None:
    """Print how many keys sign cookies, or change them. A server reads them when it starts."""
    need_extra("server")
    from ekoes.server.ops.secrets import add_key, forget_keys, signing_keys
    from ekoes.server.settings import Settings

    path = Settings(data=data_folder(data)).key_file
    if not path.is_file():
        raise StorageError(f"no server stores its key in {path.parent}; --data names another folder")
    keys = add_key(path) if renew else signing_keys(path)
    if forget:
        keys = forget_keys(path)
    emit_json({"keys": len(keys)})
