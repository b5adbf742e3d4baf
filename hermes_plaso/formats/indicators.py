"""Indicators: what an analyst looks for in commands, calls and texts first.

An indicator is a hint by the look of a text, set where the text is decoded, so that
filters and tagging rules need not guess. What none is set for can be harmful all the
same.
"""

import re

CONTEXT_DIFFERS = "context_differs"
CREDENTIAL = "credential"
DESTRUCTIVE = "destructive"
DOWNLOAD_AND_RUN = "download_and_run"
FILE_WRITE = "file_write"
HISTORY_REWRITE = "history_rewrite"
NETWORK_ACCESS = "network_access"
PRIVILEGE_CHANGE = "privilege_change"
PROMPT_INJECTION = "prompt_injection"
STEERING = "steering"

# What Hermes begins a message with that a person sends while the agent works, and that
# it appends to the output of a tool (agent/prompt_builder.py).
_STEERING_MARKER = "[OUT-OF-BAND USER MESSAGE"

# Tools of Hermes by what they do (tools/*.py, the names they register).
_FILE_WRITE_TOOLS = frozenset(["patch", "skill_manage", "write_file"])
_NETWORK_TOOLS = frozenset(
    [
        "browser_navigate",
        "image_generate",
        "kanban_attach_url",
        "video_generate",
        "web_extract",
        "web_search",
        "x_search",
    ]
)

# What separates the commands of a line. A process substitution runs a command as well.
_SEPARATOR_RE = re.compile(r"\|\|?|(?<![<>&])&&?|;|\n|[$<>]?\(|`|\)")

# Words before the name of a program that are not its name.
_PREFIXES = frozenset(
    ["command", "do", "else", "env", "exec", "if", "nohup", "then", "time", "xargs"]
)
_PRIVILEGED_PREFIXES = frozenset(["doas", "gsudo", "pkexec", "runas", "sudo"])
_ASSIGNMENT_RE = re.compile(r"[A-Za-z_]\w*=")

_DESTRUCTIVE_PROGRAMS = frozenset(["blkdiscard", "shred", "srm", "wipefs"])
_FETCH_PROGRAMS = frozenset(
    ["curl", "fetch", "invoke-restmethod", "invoke-webrequest", "irm", "iwr", "wget"]
)
_NETWORK_PROGRAMS = _FETCH_PROGRAMS | frozenset(
    """aria2c aws az certutil dig ftp gcloud gh gsutil heroku kubectl lynx nc ncat
    netcat nmap nslookup ping rclone rsync s3cmd scp sftp socat ssh telnet traceroute
    whois""".split()
)
_PACKAGE_PROGRAMS = frozenset(
    """apk apt apt-get brew cargo conda dnf flatpak gem go npm pacman pip pip3 pipx pnpm
    snap uv yarn yum""".split()
)
_PACKAGE_VERBS = frozenset(
    """add dist-upgrade get i install publish search update upgrade""".split()
)
_PRIVILEGE_PROGRAMS = frozenset(
    """add-localgroupmember adduser chpasswd gpasswd groupadd icacls newgrp passwd
    set-acl set-executionpolicy setcap takeown useradd usermod visudo""".split()
)
_SHELL_RE = re.compile(
    r"(?:ba|z|da|k|fi)?sh|python[0-9.]*|perl|ruby|node|php|pwsh|powershell|iex|source|\."
    r"|invoke-expression"
)
_WRITE_PROGRAMS = frozenset(
    """add-content copy copy-item cp install ln mkdir move move-item mv new-item
    out-file robocopy rsync scp set-content tee touch xcopy""".split()
)

_GIT_NETWORK_VERBS = frozenset(
    ["clone", "fetch", "ls-remote", "pull", "push", "submodule"]
)
_GIT_REWRITE_VERBS = frozenset(["filter-branch", "filter-repo", "rebase", "replace"])

# A look is what a text must hold to be worth searching, a character and a literal, and
# the pattern to search. That of nearly all texts is found out by the former alone: a
# regular expression that goes through all of a text costs as much as Plaso does.

# What tells wherever it is in a command, per indicator.
_COMMAND_LOOKS = (
    (
        FILE_WRITE,
        ">",
        ">",
        re.compile(
            r"(?<![-=0-9&<>])[12&]?>>?\s?"
            r"(?!/dev/(?:null|stdout|stderr)\b)[\w./~\"'$\\]"
        ),
    ),
    (
        HISTORY_REWRITE,
        "H",
        "HIST",
        re.compile(
            r"\bunset\s+HISTFILE\b|\bHISTFILE=(?:/dev/null)?(?:\s|;|$)|\bHISTSIZE=0\b"
        ),
    ),
    (
        HISTORY_REWRITE,
        "_",
        "_history",
        re.compile(r"\.(?:bash|zsh|hermes|python)_history\b"),
    ),
    (
        PRIVILEGE_CHANGE,
        "/",
        "/etc/",
        re.compile(r"/etc/(?:sudoers|passwd|shadow|group)\b"),
    ),
)

# The same for a command in lower case.
_LOWER_COMMAND_LOOKS = (
    (DESTRUCTIVE, ">", "/dev/", re.compile(r">\s?/dev/(?:sd|nvme|hd|vd|disk)")),
    (DESTRUCTIVE, "", "drop", re.compile(r"\bdrop\s+(?:table|database|schema)\b")),
    (DESTRUCTIVE, "", "truncate", re.compile(r"\btruncate\s+table\b")),
    (
        DESTRUCTIVE,
        "",
        "delete",
        re.compile(
            r"\bdelete\s+from\s+\w+\s?(?:;|\"|'|$)|\bvssadmin\s+delete\s+shadows\b"
        ),
    ),
    (NETWORK_ACCESS, ":", "://", re.compile(r"\b(?:https?|ftp|wss?)://")),
    (NETWORK_ACCESS, "/", "/dev/", re.compile(r"/dev/(?:tcp|udp)/")),
    (NETWORK_ACCESS, "", "downloadstring", re.compile(r"\bdownloadstring\b")),
)

_ACCESS_KEY_RE = re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b")
_CREDENTIAL_LOOKS = (
    ("-", "-----BEGIN ", re.compile(r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY")),
    ("z", "AIza", re.compile(r"\bAIza[0-9A-Za-z_-]{35}")),
    ("K", "AKIA", _ACCESS_KEY_RE),
    ("S", "ASIA", _ACCESS_KEY_RE),
    ("J", "eyJ", re.compile(r"\beyJ[0-9A-Za-z_-]{10,}\.eyJ[0-9A-Za-z_-]{10,}\.")),
    ("_", "ghp_", re.compile(r"\bghp_[0-9A-Za-z]{36}")),
    ("_", "github_pat_", re.compile(r"\bgithub_pat_[0-9A-Za-z_]{22,}")),
    ("_", "hf_", re.compile(r"\bhf_[0-9A-Za-z]{30,}")),
    ("-", "glpat-", re.compile(r"\bglpat-[0-9A-Za-z_-]{20}")),
    ("-", "sk-", re.compile(r"sk-(?<=\bsk-)(?:ant-|proj-|or-v1-)?[0-9A-Za-z_-]{20,}")),
    ("-", "xox", re.compile(r"\bxox[abprs]-[0-9A-Za-z-]{10,}")),
    ("@", "://", re.compile(r"://[^/\s:@\"']{1,64}:(?![$<{*])[^/\s:@\"']{3,128}@")),
)
_LOWER_CREDENTIAL_LOOKS = (
    ("", "bearer", re.compile(r"bearer(?<=\bbearer)\s+[0-9a-z._~+/-]{16,}")),
)
# What a name is given, in a text in lower case that holds what gives it.
_ASSIGNED_CREDENTIAL_LOOKS = tuple(
    (
        "",
        literal,
        re.compile(
            name + r"[\"']?\s*[:=]\s*[\"']?"
            r"(?![\s\"'$<{*(]|none\b|null\b|true\b|false\b|\.\.\.)[^\s\"',;]{6,}"
        ),
    )
    for literal, name in (
        ("api", "api[_-]?key"),
        ("passw", "passw(?:or)?d"),
        ("secret", "secret"),
        ("token", "token"),
    )
)

# What is written for the model and not for a person, in lower case.
_NOT_TO_TELL = (
    r"\s+(?:tell|inform|mention|reveal|alert)\b[^.\n]{0,30}"
    r"\b(?:user|human|operator|anyone|this\s+to)\b"
)
_INJECTION_LOOKS = (
    ("<", "<|im_start|>", re.compile(r"<\|im_start\|>")),
    ("[", "[inst]", re.compile(r"\[inst\]")),
    ("<", "system", re.compile(r"</?system(?:_?(?:prompt|message))?>")),
    ("[", "[system", re.compile(r"\[system(?:\s*\]|:|\s+message)")),
    *(
        (
            "",
            word,
            re.compile(
                rf"{word:s}(?<=\b{word:s})\b[^.\n]{{0,40}}"
                r"\b(?:previous|prior|above|earlier|all|any|your|these|system)\b"
                r"[^.\n]{0,30}\b(?:instructions?|prompts?|rules|guidelines)\b"
            ),
        )
        for word in ("ignore", "disregard", "forget", "override", "bypass")
    ),
    (
        ":",
        "instruction",
        re.compile(r"new(?<=\bnew)\s+(?:system\s+)?instructions?\s*:"),
    ),
    ("", "not", re.compile(r"do(?<=\bdo)\s+not" + _NOT_TO_TELL)),
    ("'", "don't", re.compile(r"don't(?<=\bdon't)" + _NOT_TO_TELL)),
    ("", "never", re.compile(r"never(?<=\bnever)" + _NOT_TO_TELL)),
    (
        "",
        "prompt",
        re.compile(
            r"\b(?:reveal|print|repeat|show|output)\b[^.\n]{0,30}\bsystem\s+prompt\b"
        ),
    ),
    (
        "",
        "now",
        re.compile(
            r"you(?<=\byou)\s+are\s+now\b[^.\n]{0,60}"
            r"\b(?:dan|unrestricted|developer\s+mode|jailbr)"
        ),
    ),
)

# Longer ones are not looked through to their end: that would cost more than Plaso.
_MAXIMUM_TEXT_SIZE = 256 * 1024
_MAXIMUM_COMMAND_SIZE = 16 * 1024


def _LooksLike(text, looks):
    """Determines if a text has one of some looks.

    Args:
      text (str): text.
      looks (tuple[tuple[str, str, re.Pattern], ...]): character, literal and pattern
          per look.

    Returns:
      bool: True if it has.
    """
    for character, literal, pattern in looks:
        if character in text and literal in text and pattern.search(text):
            return True
    return False


def _HasCredential(text, lower):
    """Determines if a text looks as if it holds a credential.

    Args:
      text (str): text.
      lower (str): the text in lower case.

    Returns:
      bool: True if it does.
    """
    return (
        _LooksLike(text, _CREDENTIAL_LOOKS)
        or _LooksLike(lower, _LOWER_CREDENTIAL_LOOKS)
        or (
            (":" in lower or "=" in lower)
            and _LooksLike(lower, _ASSIGNED_CREDENTIAL_LOOKS)
        )
    )


def HasCredential(text):
    """Determines if a text looks as if it holds a credential.

    Args:
      text (str): text.

    Returns:
      bool: True if it does.
    """
    text = text[:_MAXIMUM_TEXT_SIZE]
    return _HasCredential(text, text.lower())


class _Command:
    """One command of a line.

    Attributes:
      indicators (set[str]): what the command looks like.
      is_fetch (bool): True if it fetches something from a server.
      is_piped (bool): True if it reads what the command before it writes.
      is_shell (bool): True if it runs programs that are given to it.
      is_substituted (bool): True if the command before it reads what it writes.
      program (str): name of the program, in lower case.
      words (list[str]): words after the name.
    """

    def __init__(self, segment, separator):
        """Initializes a command.

        Args:
          segment (str): text of the command.
          separator (str): what separates it from the one before it.
        """
        super().__init__()
        self.indicators = set()
        self.is_piped = separator == "|"
        self.is_substituted = separator in ("$(", "<(", "`", "(")
        words = [word.strip("\"'{}") for word in segment.split()]
        index = self._SkipPrefixes([word.lower() for word in words])
        self.program = ""
        if index < len(words):
            name = words[index].replace("\\", "/").rsplit("/", maxsplit=1)[-1]
            self.program = (name or words[index]).lower().removesuffix(".exe")
        self.words = words[index + 1 :]
        self.is_fetch = self.program in _FETCH_PROGRAMS
        self.is_shell = bool(_SHELL_RE.fullmatch(self.program))
        self._Check()

    def _SkipPrefixes(self, words):
        """Determines where the name of the program is.

        Args:
          words (list[str]): words of the command, in lower case.

        Returns:
          int: index of the name.
        """
        has_prefix = False
        for index, word in enumerate(words):
            if word in _PRIVILEGED_PREFIXES:
                self.indicators.add(PRIVILEGE_CHANGE)
                has_prefix = True
            elif word in _PREFIXES:
                has_prefix = True
            elif not (
                not word
                or _ASSIGNMENT_RE.match(word)
                or (has_prefix and word.startswith("-"))
            ):
                return index
        return len(words)

    def HasFlag(self, letters, *names):
        """Determines if the command has an option.

        Args:
          letters (str): letters of the option, of which any will do.
          names (list[str]): long names of the option.

        Returns:
          bool: True if it has.
        """
        for word in self.words:
            if word.startswith("--"):
                if word.partition("=")[0] in names:
                    return True
            elif word.startswith("-") and not set(letters).isdisjoint(word):
                return True
        return False

    def GetVerb(self):
        """Determines what a program of many is told to do.

        Returns:
          tuple[str, list[str]]: first word that is no option, in lower case, and those
              after it. What follows git's -C and -c belongs to them.
        """
        words = iter(self.words)
        for word in words:
            if word in ("-C", "-c"):
                next(words, None)
            elif not word.startswith("-"):
                return word.lower(), list(words)
        return "", []

    def _Check(self):
        """Checks what the command looks like."""
        program = self.program
        verb, words = self.GetVerb()

        if (
            program in _DESTRUCTIVE_PROGRAMS
            or program.startswith("mkfs")
            or (program == "rm" and self.HasFlag("rRf", "--force", "--recursive"))
            or (program == "find" and "-delete" in self.words)
            or (
                program == "truncate"
                and not {"0", "-s0", "--size=0"}.isdisjoint(self.words)
            )
            or (program == "kubectl" and verb == "delete")
            or (program == "terraform" and verb == "destroy")
            or (program in ("docker", "podman") and "prune" in words)
            or (
                program in ("del", "erase", "rd", "rmdir")
                and "/s" in map(str.lower, self.words)
            )
            or (program == "format" and verb.endswith(":"))
            or (
                program in ("remove-item", "ri")
                and any(word.lower().startswith("-rec") for word in self.words)
            )
        ):
            self.indicators.add(DESTRUCTIVE)

        if program == "git":
            self._CheckGit(verb, words)
        elif (
            program in ("bfg", "clear-history")
            or (program == "history" and self.HasFlag("cdw"))
            or (
                program == "hermes"
                and verb == "sessions"
                and words[:1] in (["delete"], ["prune"])
            )
        ):
            self.indicators.add(HISTORY_REWRITE)

        if (
            program in _NETWORK_PROGRAMS
            or (program in _PACKAGE_PROGRAMS and verb in _PACKAGE_VERBS)
            or (
                program in ("docker", "podman")
                and verb in ("login", "pull", "push", "run")
            )
        ):
            self.indicators.add(NETWORK_ACCESS)

        if (
            program in _PRIVILEGE_PROGRAMS
            or (program == "su" and (not self.words or verb in ("", "root")))
            or (program == "chown" and verb.partition(":")[0] == "root")
            or (program == "net" and verb in ("localgroup", "user"))
            or (program == "chmod" and self._IsModeOfPrivilege(verb))
        ):
            self.indicators.add(PRIVILEGE_CHANGE)

        if program == "dd":
            for word in self.words:
                if word.startswith("of=") and word != "of=/dev/null":
                    self.indicators.add(FILE_WRITE)
                    if word.startswith("of=/dev/"):
                        self.indicators.add(DESTRUCTIVE)
        elif (
            program in _WRITE_PROGRAMS
            or (program in ("sed", "perl") and self.HasFlag("i", "--in-place"))
            or (self.is_fetch and self.GetOutput() is not None)
        ):
            self.indicators.add(FILE_WRITE)

        if (program == "certutil" and "-urlcache" in map(str.lower, self.words)) or (
            program in ("mshta", "npx", "pip", "pip3", "pipx", "uv", "uvx")
            and any("://" in word for word in self.words)
        ):
            self.indicators.add(DOWNLOAD_AND_RUN)

    def _CheckGit(self, verb, words):
        """Checks what a git command looks like.

        Args:
          verb (str): what git is told to do.
          words (list[str]): words after it.
        """
        if verb in _GIT_NETWORK_VERBS:
            self.indicators.add(NETWORK_ACCESS)
        if verb == "clean" and self.HasFlag("f", "--force"):
            self.indicators.add(DESTRUCTIVE)
        if (
            verb in _GIT_REWRITE_VERBS
            or (verb == "commit" and "--amend" in words)
            or (verb == "reset" and "--hard" in words)
            or (verb == "reflog" and words[:1] in (["delete"], ["expire"]))
            or (
                verb == "push"
                and any(
                    word.startswith(("+", "--force")) or re.fullmatch("-[a-z]*f", word)
                    for word in words
                )
            )
        ):
            self.indicators.add(HISTORY_REWRITE)

    def _IsModeOfPrivilege(self, mode):
        """Determines if a file mode gives privileges.

        Args:
          mode (str): mode as chmod takes it.

        Returns:
          bool: True for a mode that sets the user or group, or that lets all write.
        """
        return bool(
            re.fullmatch(r"[ugoa]*\+[rwxt]*s[rwxt]*|[2467][0-7]{3}|0?777", mode)
        )

    def GetOutput(self):
        """Determines the file that a download is written to.

        Returns:
          str: name of the file, empty if it is that of the URL, None if there is none.
        """
        for index, word in enumerate(self.words):
            name = None
            if word.startswith(("--output=", "--output-document=")):
                name = word.partition("=")[2]
            elif word in ("--output", "--output-document", "-OutFile") or (
                re.fullmatch(r"-[a-zA-Z]*[oO]", word)
            ):
                name = "".join(self.words[index + 1 : index + 2])
            elif re.fullmatch(r"-[a-z]*O-", word):
                return None
            if name is not None:
                if name == "-":
                    return None
                return "" if "://" in name else name
        if self.program == "wget" and "--spider" not in self.words:
            return ""
        return None


def _SplitCommand(line):
    """Splits a line into commands.

    Args:
      line (str): line of a shell.

    Returns:
      list[_Command]: commands.
    """
    commands = []
    position = 0
    separator = ""
    for match in _SEPARATOR_RE.finditer(line):
        commands.append(_Command(line[position : match.start()], separator))
        separator = match.group()
        position = match.end()
    commands.append(_Command(line[position:], separator))
    return commands


def _IsDownloadAndRun(commands):
    """Determines if commands download a program and run it.

    Args:
      commands (list[_Command]): commands of a line.

    Returns:
      bool: True if they do.
    """
    downloads = set()
    previous = None
    for command in commands:
        if previous:
            # A shell reads what is fetched, or is given it as its argument.
            reader, writer = previous, command
            if command.is_piped:
                reader, writer = command, previous
            elif not command.is_substituted:
                writer = None
            if writer and writer.is_fetch and reader.is_shell:
                return True
        if downloads:
            names = command.words if command.is_shell else [command.program]
            if not downloads.isdisjoint(_GetBaseName(name) for name in names):
                return True
        if command.is_fetch:
            output = command.GetOutput()
            if output == "":
                output = next((word for word in command.words if "/" in word), "")
            if output:
                downloads.add(_GetBaseName(output))
        if command.program:
            previous = command
    return False


def _GetBaseName(path):
    """Determines the name of a file.

    Args:
      path (str): path or URL.

    Returns:
      str: name, in lower case.
    """
    return path.rstrip("/").rsplit("/", maxsplit=1)[-1].lower()


def FromCommand(command):
    """Determines what a command looks like.

    Args:
      command (str): command of a shell or None.

    Returns:
      list[str]: indicators, in alphabetical order.
    """
    if not command:
        return []
    command = command[:_MAXIMUM_COMMAND_SIZE]
    indicators = set()
    for text, looks in (
        (command, _COMMAND_LOOKS),
        (command.lower(), _LOWER_COMMAND_LOOKS),
    ):
        for name, character, literal, pattern in looks:
            if character in text and literal in text and pattern.search(text):
                indicators.add(name)
    commands = _SplitCommand(command)
    for part in commands:
        indicators.update(part.indicators)
    if any(part.is_fetch for part in commands) and _IsDownloadAndRun(commands):
        indicators.add(DOWNLOAD_AND_RUN)
    return sorted(indicators)


def FromCall(tool_name, command, url, arguments):
    """Determines what a tool call looks like.

    Args:
      tool_name (str): name of the tool or None.
      command (str): command or None.
      url (str): URL or None.
      arguments (str): arguments as the model wrote them or None.

    Returns:
      list[str]: indicators, in alphabetical order, None if there are none.
    """
    indicators = set(FromCommand(command))
    if tool_name in _FILE_WRITE_TOOLS:
        indicators.add(FILE_WRITE)
    if url or tool_name in _NETWORK_TOOLS:
        indicators.add(NETWORK_ACCESS)
    if arguments and HasCredential(arguments):
        indicators.add(CREDENTIAL)
    return sorted(indicators) or None


# Turns whose text can be that of a stranger: a system prompt embeds context files.
_TURN_TYPES_OF_OTHERS = frozenset(["system_prompt", "tool_result"])


def FromMessage(turn_type, text, context_differs):
    """Determines what a message looks like.

    Args:
      turn_type (str): turn type.
      text (str): text or None.
      context_differs (bool): True if the model saw something else than the text.

    Returns:
      list[str]: indicators, in alphabetical order, None if there are none.
    """
    indicators = []
    if context_differs:
        indicators.append(CONTEXT_DIFFERS)
    has_steering = text and turn_type == "tool_result" and _STEERING_MARKER in text
    if text:
        text = text[:_MAXIMUM_TEXT_SIZE]
        lower = text.lower()
        if _HasCredential(text, lower):
            indicators.append(CREDENTIAL)
        # What a person or the model says is no injection, whatever it looks like.
        if turn_type in _TURN_TYPES_OF_OTHERS and _LooksLike(lower, _INJECTION_LOOKS):
            indicators.append(PROMPT_INJECTION)
    if has_steering:
        indicators.append(STEERING)
    return indicators or None
