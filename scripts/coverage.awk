# awk -v root=DIR -v minimum=PERCENT [-v missed=FILE] -f coverage.awk LCOV
#
# Line coverage of root/src per module, from `llvm-cov export --format=lcov`. Tests and fuzz targets
# are not counted. A line that no test can reach carries `// unreachable: REASON`; if it opens a block,
# the whole block is left out. A marker without a reason counts for nothing and is an error.
# Exit status 1 if the total is below the minimum, or nothing was measured.

function module_of(path, parts) {
  split(substr(path, length(root) + 6), parts, "/")
  return parts[1]
}

# Marks what may be left out of `path` in excused[path, line].
function read_source(path, line, text, number, depth, marked, opened) {
  number = depth = 0
  while ((getline text < path) > 0) {
    ++number
    marked = match(text, /\/\/ unreachable:/)
    if (marked && substr(text, RSTART + RLENGTH) !~ /[^ \t]/) {
      printf "%s:%d: `// unreachable:` without a reason\n", path, number
      wrong = 1
      marked = 0
    }
    if (marked || depth > 0) excused[path, number] = 1
    line = text
    sub(/\/\/.*/, "", line)
    opened = gsub(/[{]/, "{", line) - gsub(/[}]/, "}", line)
    if (depth > 0) depth += opened
    else if (marked && opened > 0) depth = opened
  }
  close(path)
}

/^SF:/ {
  path = substr($0, 4)
  counted = index(path, root "/src/") == 1 && path !~ /_(test|fuzz)\.cc$/
  if (counted && !(path in known)) {
    known[path] = 1
    read_source(path)
  }
}

/^DA:/ && counted {
  split(substr($0, 4), field, ",")
  key = path SUBSEP field[1]
  if (!(key in hits) || field[2] > hits[key]) hits[key] = field[2]
}

END {
  for (key in hits) {
    if (key in excused) continue
    split(key, part, SUBSEP)
    module = module_of(part[1])
    ++lines[module]
    ++all
    if (hits[key] > 0) {
      ++covered[module]
      ++hit
    } else if (missed != "") {
      print substr(part[1], length(root) + 2) ":" part[2] | ("sort -t: -k1,1 -k2,2n > '" missed "'")
    }
  }
  printf "\n%-12s %8s %8s %8s\n", "module", "lines", "covered", ""
  for (module in lines) {
    printf "%-12s %8d %8d %7.2f%%\n", module, lines[module], covered[module],
        100 * covered[module] / lines[module] | "sort"
  }
  close("sort")
  if (all == 0) {
    print "no line of src/ was measured"
    exit 1
  }
  printf "%-12s %8d %8d %7.2f%%\n", "total", all, hit, 100 * hit / all
  if (missed != "") print "uncovered lines: " substr(missed, length(root) + 2)
  if (100 * hit < minimum * all) {
    printf "below the minimum of %s%%\n", minimum
    exit 1
  }
  exit wrong
}
