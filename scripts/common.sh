# Sourced by ./run and ./check, which set `program` and `root`.
# Everything said here goes to standard error: standard output belongs to `agents` and to ctest.

say() { printf '%s: %s\n' "$program" "$*" >&2; }
fail() {
  local status=$1
  shift
  say "$*"
  exit "$status"
}

# packages_of STAGE…: the names that packages.txt lists for these stages.
packages_of() {
  local name stage rest wanted=" $* "
  while read -r name stage rest; do
    [[ $name == '' || $name == '#'* ]] && continue
    [[ $stage == *'?'* ]] && command -v "${stage#*\?}" > /dev/null && continue
    [[ $wanted == *" ${stage%%\?*} "* ]] && printf '%s\n' "$name"
  done < "$root/packages.txt"
  return 0
}

# missing_of PACKAGE…: those that are not installed.
missing_of() {
  local installed
  installed=" $(dpkg-query -W -f '${db:Status-Status}=${Package}\n' "$@" 2> /dev/null | tr '\n' ' ') " ||
    true
  local name
  for name in "$@"; do
    [[ $installed == *" installed=$name "* ]] || printf '%s\n' "$name"
  done
}

simulate_install() { LC_ALL=C apt-get install --simulate --no-install-recommends "$@" < /dev/null 2>&1; }

# Says which of the packages cannot be had without removing which others.
explain_conflict() {
  local name removed all=()
  for name in "$@"; do
    mapfile -t removed < <(simulate_install "$name" | sed -n 's/^Remv \([^ ]*\).*/\1/p')
    ((${#removed[@]})) || continue
    say "$name conflicts with ${removed[*]}: apt would remove the latter to install the former."
    all+=("${removed[@]}")
  done
  say "Nothing was changed. If you can do without them: apt-get remove ${all[*]}"
  say "Otherwise use a container, a chroot or another machine for this checkout."
}

is_root() { ((EUID == 0)); }

# install_packages STAGE…: does nothing, silently, when nothing is missing.
install_packages() {
  local missing plan elevate=()
  if ! command -v dpkg-query > /dev/null || ! command -v apt-get > /dev/null; then
    fail 1 "packages are installed with apt, on Debian 12; this system has none." \
      "packages.txt lists what is needed."
  fi
  mapfile -t missing < <(missing_of $(packages_of "$@"))
  ((${#missing[@]})) || return 0

  if ! is_root; then
    # Without a terminal a password cannot be typed: what sudo does not grant at once it refuses.
    elevate=(sudo)
    [[ -t 2 ]] || elevate=(sudo -n)
    if ! command -v sudo > /dev/null || ! { [[ -t 2 ]] || "${elevate[@]}" true 2> /dev/null; }; then
      say "missing packages: ${missing[*]}"
      fail 1 "installing them needs root, or a user with sudo. As root:" \
        "apt-get install --no-install-recommends ${missing[*]}"
    fi
  fi

  say "installing ${#missing[@]} packages: ${missing[*]}"
  if ! plan=$(simulate_install "${missing[@]}") && [[ $plan != *$'\nRemv '* ]]; then
    update_lists
    plan=$(simulate_install "${missing[@]}") || {
      printf '%s\n' "$plan" >&2
      fail 1 "apt cannot install them; nothing was changed."
    }
  fi
  if grep -q '^Remv ' <<< "$plan"; then
    explain_conflict "${missing[@]}"
    exit 1
  fi
  [[ " ${missing[*]} " != *' postgresql-'* ]] || spare_system_server
  apt_install "${missing[@]}" && return
  # The lists may name versions that the mirror has replaced since.
  update_lists
  apt_install "${missing[@]}" || fail 1 "apt-get failed; see above."
}

update_lists() {
  say "updating apt's package lists"
  "${elevate[@]}" apt-get -qq -o DPkg::Lock::Timeout=300 update < /dev/null >&2 ||
    say "apt-get update reported a problem; going on with the lists that are there"
}

# The tests start servers of their own. Debian's package would create one more and start it with the
# system, unless its configuration says otherwise; what an administrator wrote there stays.
cluster_settings=/etc/postgresql-common/createcluster.conf
spare_system_server() {
  [[ ! -e $cluster_settings ]] || return 0
  "${elevate[@]}" mkdir -p "${cluster_settings%/*}"
  printf '%s\n' '# Installing PostgreSQL creates no server; see pg_createcluster(1).' \
    'create_main_cluster = false' | "${elevate[@]}" tee "$cluster_settings" > /dev/null
}

apt_install() {
  "${elevate[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends \
    --no-remove -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 install "$@" < /dev/null |
    package_progress >&2
}

# A line per twenty packages of apt's output, and whatever it says beside its usual chatter. (A loop of
# the shell: Debian's awk reads a pipe in blocks, and progress would come late.)
package_progress() {
  local line seen=0
  while IFS= read -r line; do
    case $line in
      'Unpacking '* | 'Setting up '*) ((seen++ % 20)) || printf '%s\n' "$line" ;;
      Selecting* | Preparing* | Processing* | '(Reading'* | Extracting* | update-alternatives*) ;;
      *) printf '%s\n' "$line" ;;
    esac
  done
}

# install_sources: third-party sources from npm, as third_party/npm locks them, into build/npm; does
# nothing, silently, when they are there.
install_sources() {
  local status=0
  sources_current && return
  mkdir -p "$root/build"
  (
    flock 8
    # Another ./run or ./check may have installed them while this one waited.
    sources_current || fetch_sources
  ) 8> "$root/build/npm.lock" || status=$?
  ((status == 0)) || exit "$status"
}

# The folder is moved into place when it is whole, and holds the lock file that it was made from.
sources_current() {
  local have=$root/build/npm wanted=$root/third_party/npm
  [[ -f $have/package-lock.json && -f $have/node_modules/better-sqlite3/deps/sqlite3/sqlite3.c &&
    -f $have/node_modules/nodegit/vendor/libgit2/include/git2.h &&
    -f $have/node_modules/tree-sitter/vendor/tree-sitter/lib/src/lib.c ]] &&
    [[ $(< "$have/package-lock.json") == "$(< "$wanted/package-lock.json")" ]]
}

fetch_sources() {
  local new=$root/build/npm.new
  say "fetching the sources of SQLite, libgit2 and tree-sitter with npm"
  rm -rf "$new"
  mkdir "$new"
  cp "$root"/third_party/npm/{package.json,package-lock.json,.npmrc} "$new"
  (cd "$new" && npm ci --ignore-scripts --prefer-offline --loglevel=error --no-update-notifier \
    --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=5000 < /dev/null > ../npm.log 2>&1 8>&- 9>&-) || {
    cat "$root/build/npm.log" >&2
    fail 1 "npm could not fetch what third_party/npm/package-lock.json lists. It needs its registry" \
      "(\`npm config get registry\` says which), or the packages in its cache."
  }
  rm -rf "$root/build/npm"
  mv "$new" "$root/build/npm"
}

# lock NAME: held by this process until it ends or calls unlock. Others say that they wait.
lock() {
  mkdir -p "$root/build"
  exec 9> "$root/build/$1.lock"
  if ! flock --nonblock 9; then
    say "waiting for another command that uses build/$1"
    flock 9
  fi
}
unlock() { exec 9>&-; }

# check_machine MEGABYTES: says before a build what it would otherwise fail for in the middle: no
# compiler, too little disk; and sets `jobs`, fewer where memory is short.
check_machine() {
  local tool free memory
  for tool in cmake ninja clang-19 clang++-19; do
    command -v "$tool" > /dev/null ||
      fail 1 "$tool is not in PATH, although packages.txt is installed; PATH is $PATH"
  done
  mkdir -p "$root/build" || fail 1 "cannot write to $root/build"
  free=$(($(stat --file-system --format='%a * %S' "$root/build") / 1048576))
  ((free >= $1)) ||
    fail 1 "too little disk: the build needs about $1 MB in $root/build, and $free MB are free"
  # A unit takes up to a gigabyte to compile.
  memory=$(sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo)
  jobs=$(nproc)
  if ((${memory:-8000000} / 1000000 < jobs)); then
    jobs=$((memory / 1000000 > 0 ? memory / 1000000 : 1))
    say "little memory ($((memory / 1024)) MB available): building with $jobs job(s) at a time"
  fi
}

# configure PRESET [ARGUMENT…]: runs cmake if this checkout has no such build yet, or if the presets
# changed since: all else ninja notices by itself.
configure() {
  local preset=$1 directory=$root/build/$1 fresh=()
  shift
  if [[ -f $directory/build.ninja && -f $directory/.configured ]]; then
    [[ $(< "$directory/.configured") == "$root|$*" ]] &&
      [[ ! $root/CMakePresets.json -nt $directory/.configured ]] && return
    # A checkout that was moved or copied cannot go on with the old cache.
    [[ $(< "$directory/.configured") == "$root|"* ]] || fresh=(--fresh)
  fi
  say "configuring $preset"
  (cd "$root" && cmake --preset "$preset" "${fresh[@]}" "$@" < /dev/null > "build/$preset.log" 2>&1) || {
    cat "$root/build/$preset.log" >&2
    fail 1 "configuring $preset failed"
  }
  printf '%s' "$root|$*" > "$directory/.configured"
}

# build PRESET [TARGET…]: ninja, its own progress on a terminal, otherwise a line per tenth.
build() {
  local preset=$1 status=0 begin=$SECONDS jobs=${jobs:-$(nproc)}
  shift
  if [[ -t 2 ]]; then
    (cd "$root/build/$preset" && ninja -j "$jobs" "$@" < /dev/null >&2) || status=$?
  else
    ninja -C "$root/build/$preset" -j "$jobs" "$@" < /dev/null 2>&1 | tenths "$preset" >&2 || status=$?
  fi
  ((status == 0)) || fail "$status" "building $preset failed; the previous build is untouched"
  ((SECONDS - begin < 5)) || say "built $preset in $((SECONDS - begin)) s"
}

# A line per tenth of ninja's steps, and whatever the commands say.
tenths() {
  local line done_steps steps last=-1
  while IFS= read -r line; do
    if [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\  ]]; then
      done_steps=${BASH_REMATCH[1]} steps=${BASH_REMATCH[2]}
      ((done_steps > 0 && 10 * done_steps / steps > last)) || continue
      last=$((10 * done_steps / steps))
      printf 'building %s: %d of %d\n' "$1" "$done_steps" "$steps"
    elif [[ $line != 'ninja: Entering'* && $line != 'ninja: no work'* ]]; then
      printf '%s\n' "$line"
    fi
  done
}
