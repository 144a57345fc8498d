#include "index/internal/lexicon.h"

#include <algorithm>
#include <array>

#include "index/internal/feature_hash.h"
#include "index/words.h"

namespace clever::index::internal {
namespace {

// Words without meaning for a search, in a sentence or in a program.
constexpr std::string_view kEmpty =
    "the a an of to in on at by for from with without and or not no is are was were be been being "
    "it its this that these those there here as if then else when while do does did done so but "
    "can could should would will may might must shall we you they he she our your their his her "
    "have has had than too very just only also more most some any all each every other such into "
    "over under again further once about between both few own same up down out off which who whom "
    "what where why how because until after before during now let us lets use uses used using "
    "return returns int void const static char bool auto var val def fn func function end begin "
    "self cls public private protected final override virtual inline namespace std import include "
    "package require export module class struct enum interface extends implements typedef typename "
    "template new delete null nil none undefined true false try catch throw throws raise except "
    "finally switch case break continue default goto sizeof unsigned signed long short float "
    "double "
    "string str object type types value values data item items args arg argv kwargs param params "
    "pub mut impl mod crate match ref some ok err unwrap async await yield lambda pass elif "
    "endif ifdef ifndef define pragma extern assert print println printf fmt http https www com "
    "org";

// Words with little meaning for a search.
constexpr std::string_view kCommon =
    "name names key keys id ids index list array map set size length count number num get make add "
    "result results error errors file files path line lines code test tests testing check info "
    "text "
    "message option options config state node next prev first last start stop call method field "
    "fields property attribute context input output read write read open close init main util "
    "utils "
    "helper helpers common base core change changes changed fix fixes fixed bug issue support "
    "improve update updated updates handle handling allow add adds added simple small minor better "
    "work works need needs want way thing example note see instead copyright license version";

// The words of a line stand for one idea.
constexpr auto kIdeas = std::to_array<std::string_view>({
    "remove delete erase drop discard unlink rm prune purge",
    "create make build construct generate produce spawn allocate alloc",
    "add insert append push register attach include",
    "error failure fail failed exception fault panic crash abort bug",
    "folder directory dir mkdir",
    "fetch download retrieve pull load request",
    "send post publish emit dispatch submit upload",
    "receive recv accept listen consume subscribe",
    "start launch run begin execute exec invoke spawn",
    "stop halt cancel abort terminate kill shutdown quit exit",
    "wait block sleep poll await pause delay",
    "thread concurrent concurrency parallel race lock mutex atomic synchronize deadlock",
    "timeout deadline expire expiry ttl",
    "retry backoff repeat attempt again",
    "parse parser lexer tokenizer scan scanner grammar syntax",
    "print log logger logging trace debug verbose",
    "render draw paint display show view",
    "format formatter pretty printer style indent",
    "search find lookup query match grep seek locate",
    "sort order rank compare comparator ordering",
    "cache memo memoize lru buffer pool",
    "store save persist database db sql sqlite storage repository",
    "read load open input stream reader",
    "write save output flush writer dump",
    "encode serialize marshal encoder dump stringify",
    "decode deserialize unmarshal decoder",
    "json yaml toml xml csv",
    "compress decompress zip gzip zlib deflate inflate brotli",
    "encrypt decrypt cipher tls ssl certificate crypto",
    "auth authenticate authorization login password token credential session cookie permission",
    "user account profile member",
    "url uri link href address",
    "http request response header client server",
    "socket network connection connect tcp udp port host",
    "route router routing endpoint path url",
    "middleware handler hook callback listener",
    "config configuration setting settings option preference flag env environment",
    "argument parameter option flag cli command",
    "validate verify check assert ensure validation constraint",
    "test spec mock fixture benchmark unittest",
    "document documentation docs readme manual comment changelog",
    "build compile compiler make cmake makefile linker ci workflow",
    "dependency package version upgrade bump release",
    "install setup bootstrap init initialize",
    "memory leak heap allocation free malloc gc garbage",
    "performance speed fast slow optimize optimization latency throughput",
    "list array vector slice sequence",
    "map dict dictionary hash table hashmap",
    "queue deque fifo channel stack",
    "tree node graph edge leaf branch",
    "text string unicode utf8 encoding charset character",
    "time date clock timestamp duration timezone calendar",
    "random seed shuffle uuid",
    "number integer float decimal numeric arithmetic math",
    "convert cast transform translate map conversion",
    "copy clone duplicate",
    "move rename relocate",
    "merge join combine concat concatenate union",
    "split divide chunk partition separate",
    "replace substitute swap",
    "filter select where exclude include",
    "iterate loop iterator each traverse walk visit visitor",
    "recursive recursion nested depth",
    "template layout html css page",
    "form field widget button dialog window ui gui",
    "image picture icon photo png jpeg svg",
    "color colour theme palette",
    "mail email smtp message",
    "process pid fork child subprocess daemon",
    "job task worker schedule scheduler cron executor",
    "event signal notify notification observer trigger",
    "plugin extension addon",
    "type generic typing annotation inference",
    "macro preprocessor define",
    "deprecated deprecate obsolete legacy",
    "migrate migration schema table column model",
    "transaction commit rollback atomic",
    "index reindex indexer",
    "limit quota throttle rate maximum max bound",
    "escape quote sanitize unescape",
    "regex regexp pattern glob wildcard",
    "diff patch delta change",
    "git commit branch checkout clone rebase",
    "metric monitor telemetry counter gauge histogram",
    "warn warning lint linter diagnostic",
    "locale translation language i18n gettext",
    "proxy gateway tunnel forward redirect",
    "import require module include resolve resolver",
    "upload file attachment multipart",
    "empty blank null none missing absent",
    "duplicate unique distinct",
    "overflow underflow boundary range bounds",
    "shell bash terminal console tty prompt",
    "key keyboard shortcut binding",
    "model embedding token llm prompt completion",
    "container docker image kubernetes pod",
    "websocket stream sse streaming",
    "cluster replica replication shard node failover",
    "snapshot backup restore dump checkpoint",
});

template <class F>
void for_each_word(std::string_view words, F&& each) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    each(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
}

}  // namespace

Lexicon::Lexicon() {
  damp(kCommon, 0.4F);
  damp(kEmpty, 0.05F);
  for (std::uint32_t i = 0; i < kIdeas.size(); ++i) relate(kIdeas[i], i + 1);
}

void Lexicon::damp(std::string_view words, float weight) {
  for_each_word(
      words, [&](std::string_view word) { lexemes_[feature_hash(stem_of(word))].weight = weight; });
}

// A word belongs to the first line that names it.
void Lexicon::relate(std::string_view words, std::uint32_t idea) {
  for_each_word(words, [&](std::string_view word) {
    Lexeme& lexeme = lexemes_[feature_hash(stem_of(word))];
    if (lexeme.idea == 0) lexeme.idea = idea;
  });
}

Lexeme Lexicon::look_up(std::uint64_t stem) const {
  const auto found = lexemes_.find(stem);
  return found == lexemes_.end() ? Lexeme{} : found->second;
}

}  // namespace clever::index::internal
