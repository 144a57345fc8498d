#!/bin/bash
# install_packages with a fake dpkg-query, apt-get and sudo that write down how they were called.
. "${BASH_SOURCE[0]%/*}/expect.sh"
bin=$scratch/bin
mkdir -p "$bin" "$scratch/tree"
for tool in bash touch true env grep sed tr awk cat mkdir flock tee; do ln -s "$(type -P $tool)" "$bin/$tool"; done
printf '%s\n' '# comment' '' 'alpha  build  # one' 'beta  check  # two' 'gamma build # three' \
  > "$scratch/tree/packages.txt"

cat > "$bin/dpkg-query" << 'EOF'
#!/bin/bash
for name in ${INSTALLED:-}; do echo "installed=$name"; done
EOF
cat > "$bin/apt-get" << 'EOF'
#!/bin/bash
echo "apt-get $*" >> "$CALLS"
case "$*" in
  *--simulate*)
    [[ -n ${LISTS:-} || -f $CALLS.lists ]] || { echo 'E: Unable to locate package'; exit 100; }
    for name in ${REMOVES:-}; do [[ $* != *alpha* ]] || echo "Remv $name [1.74]"; done ;;
  *update*) touch "$CALLS.lists" ;;
  *install*) [[ -z ${FETCH_FAILS:-} || -f $CALLS.lists ]] || { echo 'E: 404'; exit 100; } ;;
esac
EOF
printf '#!/bin/bash\n[[ $1 != -n ]] || shift\necho "sudo $*" >> "$CALLS"\nexec "$@"\n' > "$scratch/sudo"
chmod +x "$bin"/{dpkg-query,apt-get} "$scratch/sudo"

# with NAME=VALUE… -- STAGE…: install_packages with these settings of the fakes.
with() {
  local settings=()
  while [[ $1 != -- ]]; do settings+=("$1") && shift; done
  shift
  rm -f "$scratch/calls" "$scratch/calls.lists"
  env -i PATH="$bin" CALLS="$scratch/calls" LISTS=1 "${settings[@]}" bash -euo pipefail -c '
    program=./test root=$1 common=$2
    shift 2
    . "$common"
    is_root() { [[ -z ${NOT_ROOT:-} ]]; }
    cluster_settings=$root/etc/createcluster.conf
    install_packages "$@"' bash "$scratch/tree" "$root/scripts/common.sh" "$@"
}
expect_calls() {
  local calls
  calls=$(grep -c -E -- "$1" "$scratch/calls" 2> /dev/null) || true
  [[ ${calls:-0} == "$2" ]] || { echo "'$1' was called ${calls:-0} times, not $2:"; cat "$scratch/calls"; exit 1; }
}

# Nothing missing: not a word, and apt is not asked.
expect_status 0 with INSTALLED='alpha gamma' -- build
[[ -z $output && ! -e $scratch/calls ]]

# Only what is missing, of the stages asked for; never removing, never asking, no update.
expect_status 0 with INSTALLED=gamma -- build check
expect_output 'installing 2 packages: alpha beta$'
expect_calls '^apt-get .*-y --no-install-recommends --no-remove .*install alpha beta$' 1
expect_calls update 0

# Lists are updated when a package is unknown, and when the mirror has moved on.
expect_status 0 with INSTALLED=gamma LISTS= -- build
expect_calls update 1
expect_status 0 with INSTALLED=gamma FETCH_FAILS=1 -- build
expect_calls update 1
expect_calls ' install alpha$' 2

# A conflict is explained by both names and nothing is changed.
expect_status 1 with INSTALLED= REMOVES='libold-dev libold1.74-dev' -- build
expect_output 'alpha conflicts with libold-dev libold1.74-dev'
expect_output 'Nothing was changed.*apt-get remove libold-dev libold1.74-dev'
expect_no_output 'gamma conflicts'
expect_calls ' -y ' 0

# Neither root nor sudo: the command for an administrator.
expect_status 1 with INSTALLED= NOT_ROOT=1 -- build
expect_output 'needs root, or a user with sudo.*apt-get install --no-install-recommends alpha gamma'
[[ ! -e $scratch/calls ]]

# A sudo that wants a password, and no terminal to type it: the same.
printf '#!/bin/bash\nexit 1\n' > "$bin/sudo"
chmod +x "$bin/sudo"
expect_status 1 with INSTALLED= NOT_ROOT=1 -- build
expect_output 'needs root, or a user with sudo'
[[ ! -e $scratch/calls ]]

# With sudo only the installation is elevated.
mv "$scratch/sudo" "$bin/sudo"
expect_status 0 with INSTALLED=gamma NOT_ROOT=1 -- build
expect_calls '^sudo .*apt-get .*install alpha$' 1
expect_calls '^sudo .*--simulate' 0

# A package that brings a command is not asked for where the command is, whoever installed it.
echo 'delta build?delta-tool # four' >> "$scratch/tree/packages.txt"
expect_status 0 with INSTALLED='alpha gamma' -- build
expect_calls ' install delta$' 1
expect_status 0 with INSTALLED='alpha beta gamma' -- check
[[ -z $output && ! -e $scratch/calls ]]
ln -s "$bin/true" "$bin/delta-tool"
expect_status 0 with INSTALLED='alpha gamma' -- build
[[ -z $output && ! -e $scratch/calls ]]

# The package of PostgreSQL's server is kept from starting one, unless somebody decided before.
settings=$scratch/tree/etc/createcluster.conf
[[ ! -e $settings ]]
echo 'postgresql-15 check # five' >> "$scratch/tree/packages.txt"
expect_status 0 with INSTALLED=beta NOT_ROOT=1 -- check
grep -qx 'create_main_cluster = false' "$settings"
expect_calls '^sudo tee ' 1
echo mine > "$settings"
expect_status 0 with INSTALLED=beta -- check
[[ $(< "$settings") == mine ]]

# The real list: a known stage and a reason on every line, and no package twice.
awk '!/^(#|$)/ && !($2 ~ /^(build|check)(\?[a-z0-9-]+)?$/ && /#.*[A-Za-z]/) { print "packages.txt: " $0; bad = 1 }
     !/^(#|$)/ && seen[$1]++ { print "packages.txt: twice: " $1; bad = 1 } END { exit bad }' "$root/packages.txt"
