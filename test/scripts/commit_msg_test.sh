#!/bin/bash
# scripts/commit-msg, and `./run hooks`, which installs it, in a repository of its own.
. "${BASH_SOURCE[0]%/*}/expect.sh"
message=$scratch/message
judge() { printf '%b' "$1" > "$message" && "$root/scripts/commit-msg" "$message"; }
accept() { expect_status 0 judge "$1"; }
refuse() {
  expect_status 1 judge "$1"
  expect_output "$2"
}
long=$(printf 'x%.0s' {1..80})

accept 'storage: keep ended leases\n\nAn epoch must only grow.\n'
accept 'base, io: split the clock\n\nTests own the time.\n# a comment of git that is not counted\n'
accept 'docs: renew pictures\n\nWhy.\n# ------------------------ >8 ------------------------\ndiff --git a/x b/x\n'
accept 'Merge branch x\n'
accept 'Revert "storage: keep ended leases"\n'
accept 'fixup! anything at all\n'
accept "io: read long lines\n\nhttps://example.org/$long$long\n"
refuse 'Keep ended leases\n\nWhy.\n' 'names no area'
refuse "storage: $long\n\nWhy.\n" 'has 89 characters; 72 is the limit'
refuse 'storage: keep ended leases.\n\nWhy.\n' 'full stop'
refuse 'storage: added a lease\n\nWhy.\n' 'not imperative'
refuse 'storage: keep ended leases\nWhy.\n' 'second line is not empty'
refuse 'storage: keep ended leases\n\n\n' 'body is missing'
refuse 'storage: keep ended leases\n' 'body is missing'
refuse "storage: keep ended leases\n\nso $long and $long\n" 'wrap it at 100'
refuse '' 'names no area'
# Characters are counted, not bytes.
accept 'docs: écrire «soixante-douze» caractères sans dépasser la limite fixée\n\nWhy.\n'

# The hook refuses in a real commit, from a linked work tree too.
clone=$scratch/'a clone'
mkdir -p "$clone/scripts"
cp "$root/run" "$clone/" && cp "$root"/scripts/{common.sh,commit-msg} "$clone/scripts/"
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b GIT_CONFIG_GLOBAL=/dev/null
cd "$clone"
git init -q .
expect_status 0 "$clone/run" hooks
expect_output 'installed'
git add -A
expect_status 1 git commit -q -m 'no area'
expect_output 'names no area'
expect_status 0 git commit -q -m 'all: begin' -m 'A tree to test with.'
git worktree add -q "$scratch/linked" -b linked
cd "$scratch/linked"
expect_status 1 git commit -q --allow-empty -m 'no area'
# Again: nothing to do. Another hook stays.
expect_status 0 "$clone/run" hooks
rm "$clone/.git/hooks/commit-msg"
echo '#!/bin/sh' > "$clone/.git/hooks/commit-msg"
expect_status 1 "$clone/run" hooks
expect_output 'commit-msg exists'
[[ $(< "$clone/.git/hooks/commit-msg") == '#!/bin/sh' ]]
# Outside a repository it says so.
mkdir -p "$scratch/plain/scripts" && cp "$clone/run" "$scratch/plain/" && cp "$clone/scripts/"* "$scratch/plain/scripts/"
expect_status 1 env GIT_CEILING_DIRECTORIES="$scratch" "$scratch/plain/run" hooks
expect_output 'no git checkout'
