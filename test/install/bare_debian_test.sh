#!/bin/bash
# bare_debian_test.sh DEB TARBALL: installs both on a Debian 12 that holds nothing but its essential
# packages, and runs the program there. Needs root (or sudo without a password) and Debian's mirror;
# `./check long` runs it. CLEVER_MIRROR names another mirror.
set -euo pipefail
if ((EUID != 0)); then exec sudo -n --preserve-env=CLEVER_MIRROR "$0" "$@"; fi
deb=$(realpath -- "$1")
tarball=$(realpath -- "$2")
root=$(mktemp -d /var/tmp/bare-debian.XXXXXX)
trap 'rm -rf --one-file-system "$root"' EXIT

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

# inside COMMAND…: runs it in the new system, with a mount table and processes of its own that end
# with it. It pivots instead of chroot: the kernel denies a chroot the namespaces that confine commands.
inside() {
  unshare --mount --pid --fork --kill-child bash -euc '
    root=$1
    shift
    mount --make-rprivate /
    mount --bind "$root" "$root"
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount -t tmpfs tmpfs "$root/tmp"
    mkdir -p "$root/old"
    cd "$root"
    pivot_root . old
    umount -l /old
    cd /
    exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
      LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"' bash "$root" "$@"
}

debootstrap --variant=minbase bookworm "$root" "${CLEVER_MIRROR:-http://deb.debian.org/debian}" \
  > "$root.log" 2>&1 || fail "debootstrap: $(tail -n 5 "$root.log")"
rm -f "$root.log"
cp /etc/resolv.conf "$root/etc/resolv.conf"
for tool in gcc g++ clang clang-19 cmake ninja ld make git; do
  [[ ! -e $root/usr/bin/$tool ]] || fail "the bare system has $tool"
done
if compgen -G "$root/usr/lib/*/libstdc++.so*" > /dev/null; then
  [[ ! -e $root/usr/include/c++ ]] || fail "the bare system has C++ headers"
fi

# The tarball needs nothing beside the C library.
mkdir "$root/opt/agents"
tar -xzf "$tarball" -C "$root/opt/agents" --strip-components=1
version=$(inside /opt/agents/bin/agents version --format plain) || fail "the tarball does not run"
[[ $version == *[0-9].[0-9]* ]] || fail "the tarball's version says: $version"
inside /opt/agents/bin/agents help run > /dev/null || fail "the tarball has no help"
inside /opt/agents/bin/agents db migrate > /dev/null || fail "the tarball makes no database"
rm -rf "$root/root/.cleveragents" "$root/opt/agents"

# The .deb brings what it depends on, and then the whole demo runs: git, eight subplans in
# sandboxes, SIGKILL, resume, apply.
cp "$deb" "$root/var/cache/agents.deb"
inside apt-get update -qq > /dev/null 2>&1 || fail "apt-get update failed"
inside apt-get install -y -qq --no-install-recommends /var/cache/agents.deb > "$root/install.log" 2>&1 ||
  fail "the .deb does not install: $(tail -n 20 "$root/install.log")"
[[ $(inside agents version --format plain) == "$version" ]] || fail "the .deb and the tarball differ"
demo=$(inside agents demo --format plain 2>&1) || fail "the demo failed: $demo"
[[ $demo == *"same as the undisturbed run"* ]] || fail "the demo says: $demo"
inside apt-get remove -y -qq cleveragents > /dev/null 2>&1 || fail "the .deb cannot be removed"
[[ ! -e $root/usr/bin/agents ]] || fail "removing the .deb leaves the program behind"
printf 'the .deb and the tarball install and run on a bare Debian 12\n'
