// All of tree-sitter's core, as its own lib.c puts it together, with two things changed:
// - Scanners of some grammars write a few bytes more than the buffer for their state holds when a
//   text nests deeply. Here it has room for that.
// - What a text full of errors costs grows with the square of its length: nodes are made again and
//   again of all that was skipped. How many children nodes were made of is counted, so that the
//   progress callback can give up; the payload that comes with the callback begins with the counter.
#include "tree_sitter/api.h"

#include "parser.h"
#undef TREE_SITTER_SERIALIZATION_BUFFER_SIZE
#define TREE_SITTER_SERIALIZATION_BUFFER_SIZE 8192

#include "alloc.c"
#include "get_changed_ranges.c"
#include "language.c"
#include "lexer.c"
#include "node.c"
#include "query.c"
#include "stack.c"
#include "subtree.c"
#include "tree_cursor.c"
#include "tree.c"
#include "wasm_store.c"

#define COUNTED(children, make) (*(size_t *)self->parse_options.payload += (children)->size, make)
#define ts_subtree_new_node(symbol, children, production_id, language) \
  COUNTED(children, ts_subtree_new_node(symbol, children, production_id, language))
#define ts_subtree_new_error_node(children, extra, language) \
  COUNTED(children, ts_subtree_new_error_node(children, extra, language))
#include "./parser.c"
