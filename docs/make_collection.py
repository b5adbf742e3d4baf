"""Writes the collection files: artifact definitions and the file filter.

Usage: python docs/make_collection.py [OUTPUT]

Each path of a Hermes home is named once below, and written out for every place a home
can be in. The paths of different artifacts never match the same file, since Plaso reads
a file once for each path that matches it. See "Credentials", "Exclusions" and "Docker
and Podman volumes" in the format reference.
"""

import os
import sys

_DATA_PATH = os.path.join(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "hermes_plaso", "data"
)

_URL = "https://github.com/NousResearch/hermes-agent"

# Homes of users. A home of a channel build has a suffix without a separator.
_HOMES = {
    "Linux": ("/home/*/.hermes*", "/root/.hermes*"),
    # The second is a symbolic link on a running system, and the third what it leads to.
    "Darwin": ("/Users/*/.hermes*", "/var/root/.hermes*", "/private/var/root/.hermes*"),
    "Windows": (
        "%%environ_systemdrive%%\\Users\\*\\AppData\\Local\\hermes*",
        "%%environ_systemdrive%%\\Users\\*\\.hermes*",
    ),
}

# Volumes of which the home is the root, layers, and the home inside of a container.
_CONTAINER_HOMES = (
    "/opt/data",
    *(
        f"{storage:s}/{place:s}"
        for storage in ("/var/lib/docker", "/home/*/.local/share/docker")
        for place in ("volumes/*/_data", "overlay2/*/diff/opt/data")
    ),
    *(
        f"{storage:s}/{place:s}"
        for storage in (
            "/var/lib/containers/storage",
            "/home/*/.local/share/containers/storage",
        )
        for place in ("volumes/*/_data", "overlay/*/diff/opt/data")
    ),
    "/var/lib/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots/*/fs/opt/data",
)

_DESKTOP_DIRECTORIES = {
    "Linux": ("/home/*/.config/Hermes*", "/root/.config/Hermes*"),
    "Darwin": ("/Users/*/Library/Application Support/Hermes*",),
    "Windows": ("%%environ_systemdrive%%\\Users\\*\\AppData\\Roaming\\Hermes*",),
}

_PROJECT_ROOTS = {
    "Linux": ("/home/*", "/root", "/srv", "/opt"),
    "Darwin": ("/Users/*",),
    "Windows": ("%%environ_systemdrive%%\\Users\\*",),
}

_SNAPSHOT = "state-snapshots/*"


def _WithSnapshots(*paths):
    """Adds what a snapshot holds of files.

    Args:
      paths (list[str]): paths below a home.

    Returns:
      tuple[str, ...]: the paths and those of their copies.
    """
    return paths + tuple(f"{_SNAPSHOT:s}/{path:s}" for path in paths)


# Name, description, and paths below a home and below each profile of it.
_HOME_ARTIFACTS = (
    (
        "HermesAgentDatabase",
        "Session database of the Hermes Agent.",
        ("state.db", "state.db-journal", "state.db-shm", "state.db-wal"),
    ),
    (
        "HermesAgentDatabaseCopies",
        "Snapshots and other copies of the session database of the Hermes Agent.",
        (
            "state.db.malformed-backup-*",
            "state.db.notadb-*",
            "state.db.pre-update-emergency-*",
            "state.db.retired-wal-*/state.db*",
            "state.db.zeroed-*",
            f"{_SNAPSHOT:s}/cron/jobs.json",
            f"{_SNAPSHOT:s}/gateway_state.json",
            f"{_SNAPSHOT:s}/manifest.json",
            f"{_SNAPSHOT:s}/processes.json",
            f"{_SNAPSHOT:s}/response_store.db*",
            f"{_SNAPSHOT:s}/state.db*",
        ),
    ),
    (
        "HermesAgentStores",
        "Other records of the Hermes Agent: history, runs, transcripts, state.",
        (
            ".hermes_history",
            "cache/delegation/live/*/*",
            "cache/terminal-output/*",
            "channel_directory.json",
            "checkpoints/store/projects/*.json",
            "cron/jobs.json",
            "cron/notepad.db*",
            "cron/output/*/*.md",
            "gateway_state.json",
            "kanban.db*",
            "pastes/pending.json",
            "processes.json",
            "projects.db*",
            "response_store.db*",
            "retaindb_queue.db*",
            "runs_idempotency.db*",
            "sessions/*.json",
            "sessions/*.jsonl",
            "sessions/saved/*.json",
            "spawn-ledger.json",
            "verification_evidence.db*",
        ),
    ),
    (
        "HermesAgentLogs",
        "Logs of the Hermes Agent.",
        ("logs/*.log", "logs/*.log.*", "logs/curator/*", "logs/process-results/*"),
    ),
    (
        "HermesAgentSettings",
        "Settings and approved users of the Hermes Agent, which hold credentials.",
        (
            "backups/config/config.yaml.good.*",
            *_WithSnapshots(
                "config.yaml",
                "config.yaml.*",
                "pairing/*-approved.json",
                "platforms/pairing/*-approved.json",
            ),
        ),
    ),
    (
        "HermesAgentBackups",
        "Backups of whole homes of the Hermes Agent, which hold credentials.",
        ("backups/*.zip",),
    ),
    (
        "HermesAgentBrowserProfiles",
        "Browser profiles of the Hermes Agent, which hold cookies and logins.",
        (
            "bot-desktop/browser-profile/**",
            "browser-profile/**",
            "browser-profiles/**",
            "browser_profiles/**",
            "chrome-debug/**",
        ),
    ),
    (
        "HermesAgentSecrets",
        "Credentials that the Hermes Agent keeps.",
        (
            ".anthropic_oauth.json",
            ".aws/*",
            ".aws/cli/cache/*.json",
            ".aws/sso/cache/*.json",
            ".azure/*",
            ".config/gcloud/*",
            ".config/gh/*",
            ".copilot_jwt.json",
            ".docker/*",
            ".envrc",
            ".gnupg/*",
            ".kube/*",
            ".op.env",
            ".ssh/*",
            "auth/*",
            "bot-desktop/*",
            "browser_auth/*",
            "cache/bws_cache*.json",
            "google_*.json",
            "google_chat_user_oauth_pending/*",
            "google_chat_user_tokens/*",
            "hermes-agent/.env",
            "home/**",
            "honcho.json",
            "matrix/store/*",
            "mcp-tokens/*",
            "mem0.json",
            "npmrc",
            "platforms/matrix/store/*",
            "platforms/whatsapp/session/*",
            "proxy/*",
            "runtime/photon-sidecar.json",
            "slack_tokens.json",
            "teams_pipeline_store.json",
            "vault/*",
            "webapp/*",
            "webhook_subscriptions.json",
            "weixin/accounts/*",
            "whatsapp/session/*",
            "workspace/meetings/node_token.json",
            *_WithSnapshots(
                ".env",
                ".env.bak*",
                "auth.json",
                "auth.json.*",
                "feishu_comment_pairing.json",
                "pairing/*-pending.json",
                "pairing/_rate_limits.json",
                "platforms/pairing/*-pending.json",
                "platforms/pairing/_rate_limits.json",
            ),
        ),
    ),
)

_DESKTOP_ARTIFACTS = (
    (
        "HermesAgentDesktop",
        "State of the Hermes desktop application.",
        (
            "active-profile.json",
            "backend-ownership.json",
            "desktop-installation.json",
            "managed-ssh-update-recovery.json",
            "updates.json",
            "window-state.json",
        ),
    ),
    (
        "HermesAgentDesktopConnections",
        "Backends of the Hermes desktop application, which hold credentials.",
        ("connection.json", "connections.json", "connections.json.corrupt-*"),
    ),
)

_PROJECT_FILE_NAMES = ("failed_trajectories.jsonl", "trajectory_samples.jsonl")

# Groups and their artifacts. What holds credentials is in a group of its own.
_GROUPS = (
    (
        "HermesAgent",
        "What the Hermes Agent recorded, without credentials.",
        (
            "HermesAgentDatabase",
            "HermesAgentDatabaseCopies",
            "HermesAgentDesktop",
            "HermesAgentLogs",
            "HermesAgentProjectFiles",
            "HermesAgentStores",
        ),
    ),
    (
        "HermesAgentCredentials",
        "Settings, backups and secrets of the Hermes Agent, which hold credentials.",
        (
            "HermesAgentBackups",
            "HermesAgentBrowserProfiles",
            "HermesAgentDesktopConnections",
            "HermesAgentSecrets",
            "HermesAgentSettings",
        ),
    ),
)

# Directories of a home that hold programs, models and caches, see "Exclusions".
_EXCLUDED_DIRECTORIES = (
    "bot-desktop/browser-profile",
    "browser-profile",
    "browser-profiles",
    "browser_profiles",
    "checkpoints/legacy-.+",
    "checkpoints/store/indexes",
    "checkpoints/store/objects",
    "chrome-debug",
    "hermes-agent",
    "installs",
    "models",
    "node",
    "plugins/.+/[.]venv",
    "plugins/.+/node_modules",
    "runtimes",
    "sandboxes",
    "tools",
)


# The file filter has a regular expression for each segment of a path, of any system.
_FILTER_HOMES = (
    "/(home|Users)/.+/[.]hermes.*",
    "/root/[.]hermes.*",
    "/private/var/root/[.]hermes.*",
    "/Users/.+/AppData/Local/hermes.*",
    "/opt/data",
    "/var/lib/docker/volumes/.+/_data",
    "/var/lib/docker/overlay2/.+/diff/opt/data",
    "/var/lib/containers/storage/volumes/.+/_data",
    "/var/lib/containers/storage/overlay/.+/diff/opt/data",
    "/home/.+/[.]local/share/docker/volumes/.+/_data",
    "/home/.+/[.]local/share/docker/overlay2/.+/diff/opt/data",
    "/home/.+/[.]local/share/containers/storage/volumes/.+/_data",
    "/home/.+/[.]local/share/containers/storage/overlay/.+/diff/opt/data",
)
_FILTER_DESKTOP_DIRECTORIES = (
    "/home/.+/[.]config/Hermes.*",
    "/root/[.]config/Hermes.*",
    "/Users/.+/Library/Application Support/Hermes.*",
    "/Users/.+/AppData/Roaming/Hermes.*",
)


def _Join(root, path):
    """Joins a path to that of a directory.

    Args:
      root (str): path of the directory, of any operating system.
      path (str): path below it, with / as separator.

    Returns:
      str: path.
    """
    if "\\" in root:
        path = path.replace("/", "\\")
        return f"{root:s}\\{path:s}"
    return f"{root:s}/{path:s}"


def _WriteSource(paths, system):
    """Writes a source of an artifact definition.

    Args:
      paths (list[str]): paths.
      system (str): name of the operating system.

    Yields:
      str: lines.
    """
    yield "- type: FILE"
    yield "  attributes:"
    yield "    paths:"
    for path in paths:
        quoted_path = path.replace("'", "''")
        yield f"    - '{quoted_path:s}'"
    if system == "Windows":
        yield "    separator: '\\'"
    yield f"  supported_os: [{system:s}]"


def _WriteArtifact(name, description, paths_per_system):
    """Writes an artifact definition.

    Args:
      name (str): name.
      description (str): description.
      paths_per_system (dict[str, list[str]]): paths per operating system.

    Yields:
      str: lines.
    """
    yield "---"
    yield f"name: {name:s}"
    yield f"doc: '{description:s}'"
    yield "sources:"
    for system, paths in paths_per_system.items():
        yield from _WriteSource(paths, system)
    yield f"supported_os: [{', '.join(paths_per_system):s}]"
    yield f"urls: ['{_URL:s}']"


def _WriteGroup(name, description, members):
    """Writes the definition of a group.

    Args:
      name (str): name.
      description (str): description.
      members (list[str]): names of the artifacts.

    Yields:
      str: lines.
    """
    yield "---"
    yield f"name: {name:s}"
    yield f"doc: '{description:s}'"
    yield "sources:"
    yield "- type: ARTIFACT_GROUP"
    yield "  attributes:"
    yield "    names:"
    for member in members:
        yield f"    - '{member:s}'"
    yield "supported_os: [Darwin, Linux, Windows]"
    yield f"urls: ['{_URL:s}']"


def _GetArtifacts():
    """Determines the artifact definitions that have paths.

    Yields:
      tuple[str, str, dict[str, list[str]]]: name, description and paths per operating
          system.
    """
    for name, description, paths in _HOME_ARTIFACTS:
        paths_per_system = {}
        for system, homes in _HOMES.items():
            if system == "Linux":
                homes += _CONTAINER_HOMES
            paths_per_system[system] = [
                _Join(home, f"{prefix:s}{path:s}")
                for home in homes
                for prefix in ("", "profiles/*/")
                for path in paths
            ]
        if name == "HermesAgentSettings":
            paths_per_system["Linux"].append("/etc/hermes/config.yaml")
        yield name, description, paths_per_system

    for name, description, paths in _DESKTOP_ARTIFACTS:
        yield name, description, {
            system: [
                _Join(directory, path) for directory in directories for path in paths
            ]
            for system, directories in _DESKTOP_DIRECTORIES.items()
        }

    yield (
        "HermesAgentProjectFiles",
        "Trajectories that the Hermes Agent saved in the directories it worked in.",
        {
            system: [
                _Join(root, f"**8/{name:s}")
                for root in roots
                for name in _PROJECT_FILE_NAMES
            ]
            for system, roots in _PROJECT_ROOTS.items()
        },
    )


def WriteArtifacts():
    """Writes the artifact definitions.

    Yields:
      str: lines.
    """
    definitions = {
        name: _WriteArtifact(name, description, paths_per_system)
        for name, description, paths_per_system in _GetArtifacts()
    }
    definitions.update(
        (name, _WriteGroup(name, description, members))
        for name, description, members in _GROUPS
    )
    yield "# Hermes Agent artifact definitions, written by docs/make_collection.py."
    for _, lines in sorted(definitions.items()):
        yield from lines


def WriteFilter():
    """Writes the file filter.

    Yields:
      str: lines.
    """
    yield "# Plaso file filter of Hermes homes, written by docs/make_collection.py."
    for description, filter_type, paths in (
        (
            "Programs, models and caches in a Hermes home.",
            "exclude",
            [
                f"{home:s}/{prefix:s}{directory:s}"
                for home in _FILTER_HOMES
                for prefix in ("", "profiles/.+/")
                for directory in _EXCLUDED_DIRECTORIES
            ],
        ),
        (
            "Hermes homes, and volumes and layers that are one or hold one.",
            "include",
            [*_FILTER_HOMES, "/etc/hermes"],
        ),
        (
            "Data of the Hermes desktop application.",
            "include",
            [f"{directory:s}/.+[.]json.*" for directory in _FILTER_DESKTOP_DIRECTORIES],
        ),
    ):
        yield "---"
        yield f"description: '{description:s}'"
        yield f"type: {filter_type:s}"
        yield "path_separator: '/'"
        yield "paths:"
        for path in paths:
            yield f"- '{path:s}'"


def Main():
    """Writes the files."""
    output = sys.argv[1] if len(sys.argv) > 1 else _DATA_PATH
    for name, lines in (
        (os.path.join("artifacts", "hermes.yaml"), WriteArtifacts()),
        ("filter_hermes.yaml", WriteFilter()),
    ):
        path = os.path.join(output, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8", newline="\n") as file_object:
            file_object.write("".join(f"{line:s}\n" for line in lines))


if __name__ == "__main__":
    Main()
