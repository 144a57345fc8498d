#include "confine/internal/request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "confine/internal/wire.h"

namespace clever::confine::internal {
namespace {

using base::ErrorCode;
using ::testing::HasSubstr;

Command rich_command() {
  return {.argv = {"sh", "-c", "true", ""},
          .working_directory = "/work",
          .environment = {"A=1", "B="},
          .mounts = {{.kind = Mount::Kind::kOverlay,
                      .target = "/work",
                      .lower = {"/a", "/b"},
                      .upper = "/u",
                      .work = "/w"},
                     {.kind = Mount::Kind::kReadOnly, .target = "/x", .source = "/y"},
                     {.kind = Mount::Kind::kTemporary, .target = "/t"},
                     {.kind = Mount::Kind::kHidden, .target = "/h"}},
          .hidden = {"/secret"},
          .limits = {.cpu = std::chrono::seconds(7),
                     .memory = 1,
                     .total_memory = 5,
                     .processes = 2,
                     .file_size = 3,
                     .disk = 6,
                     .files = 7,
                     .open_files = 4},
          .network = Network::kHosts,
          .hosts = {"example.org"},
          .unconfined = true};
}

base::Result<Command> decoded(const std::string& request) {
  CLEVER_ASSIGN(const std::size_t size, read_request_head(request.substr(0, kRequestHeadSize)));
  EXPECT_EQ(size, request.size() - kRequestHeadSize);
  return decode_request(request.substr(kRequestHeadSize));
}

TEST(Request, SurvivesItsWay) {
  const Command sent = rich_command();
  const Command read = decoded(encode_request(sent).value()).value();
  EXPECT_EQ(read.argv, sent.argv);
  EXPECT_EQ(read.working_directory, sent.working_directory);
  EXPECT_EQ(read.environment, sent.environment);
  ASSERT_EQ(read.mounts.size(), 4U);
  EXPECT_EQ(read.mounts[0].kind, Mount::Kind::kOverlay);
  EXPECT_EQ(read.mounts[0].target, "/work");
  EXPECT_EQ(read.mounts[0].lower, sent.mounts[0].lower);
  EXPECT_EQ(read.mounts[0].upper, "/u");
  EXPECT_EQ(read.mounts[0].work, "/w");
  EXPECT_EQ(read.mounts[1].source, "/y");
  EXPECT_EQ(read.mounts[3].kind, Mount::Kind::kHidden);
  EXPECT_EQ(read.hidden, sent.hidden);
  EXPECT_EQ(read.limits.cpu, sent.limits.cpu);
  EXPECT_EQ(read.limits.memory, 1U);
  EXPECT_EQ(read.limits.total_memory, 5U);
  EXPECT_EQ(read.limits.processes, 2U);
  EXPECT_EQ(read.limits.file_size, 3U);
  EXPECT_EQ(read.limits.disk, 6U);
  EXPECT_EQ(read.limits.files, 7U);
  EXPECT_EQ(read.limits.open_files, 4U);
  EXPECT_EQ(read.network, Network::kHosts);
  EXPECT_EQ(read.hosts, sent.hosts);
  EXPECT_TRUE(read.unconfined);
}

TEST(Request, IsRefusedWhenCutAnywhere) {
  const std::string whole = encode_request(rich_command()).value().substr(kRequestHeadSize);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_EQ(decode_request(whole.substr(0, size)).error().code(), ErrorCode::kInvalidArgument);
  }
  EXPECT_EQ(decode_request(whole + "x").error().code(), ErrorCode::kInvalidArgument);
}

TEST(Request, IsRefusedWithAnUnknownKind) {
  Command command = rich_command();
  command.network = static_cast<Network>(9);
  EXPECT_FALSE(decoded(encode_request(command).value()).ok());
  command = rich_command();
  command.mounts[0].kind = static_cast<Mount::Kind>(9);
  EXPECT_FALSE(decoded(encode_request(command).value()).ok());
}

TEST(Request, IsRefusedWithoutItsMark) {
  EXPECT_FALSE(read_request_head("0123456789abcdef").ok());
  EXPECT_FALSE(read_request_head("short").ok());
}

TEST(Request, HasALimit) {
  Command command = rich_command();
  command.argv.emplace_back(kLargestRequest, 'x');
  EXPECT_EQ(encode_request(command).error().code(), ErrorCode::kInvalidArgument);
  WireWriter head;
  head.number(0x31656e69666e6f43);
  head.number(kLargestRequest + 1);
  EXPECT_THAT(read_request_head(std::move(head).take()).error().message(), HasSubstr("16 MiB"));
}

void check_spoiled(const std::function<void(Command&)>& spoil, std::string_view words) {
  Command command = rich_command();
  spoil(command);
  const auto checked = check_command(command);
  ASSERT_FALSE(checked.ok()) << words;
  EXPECT_EQ(checked.error().code(), ErrorCode::kInvalidArgument);
  EXPECT_THAT(checked.error().message(), HasSubstr(std::string(words)));
}

TEST(CheckCommand, AcceptsWhatIsRight) { EXPECT_TRUE(check_command(rich_command()).ok()); }

TEST(CheckCommand, SaysWhatIsWrong) {
  check_spoiled([](Command& c) { c.argv.clear(); }, "no program");
  check_spoiled([](Command& c) { c.argv[0].clear(); }, "no program");
  check_spoiled([](Command& c) { c.argv[1] = std::string("a\0b", 3); }, "NUL");
  check_spoiled([](Command& c) { c.environment[0] = std::string("A=\0", 3); }, "NUL");
  check_spoiled([](Command& c) { c.environment[0] = "novalue"; }, "'novalue' is not NAME=value");
  check_spoiled([](Command& c) { c.environment[0] = "=x"; }, "NAME=value");
  check_spoiled([](Command& c) { c.working_directory = "here"; }, "the working directory 'here'");
  check_spoiled([](Command& c) { c.working_directory = "/a/../b"; }, "without '..'");
  check_spoiled([](Command& c) { c.working_directory.clear(); }, "the working directory ''");
  check_spoiled([](Command& c) { c.mounts[0].target = "work"; }, "the target of a mount 'work'");
  check_spoiled([](Command& c) { c.mounts[0].target = "/"; }, "over '/'");
  check_spoiled([](Command& c) { c.mounts[0].lower.clear(); }, "no lower folder");
  check_spoiled([](Command& c) { c.mounts[0].lower[1] = "x"; }, "the lower folder 'x'");
  check_spoiled([](Command& c) { c.mounts[0].upper = "x"; }, "the upper folder 'x'");
  check_spoiled([](Command& c) { c.mounts[0].work = "x"; }, "the work folder 'x'");
  check_spoiled([](Command& c) { c.mounts[1].source = ""; }, "the source of a mount ''");
  check_spoiled([](Command& c) { c.hidden[0] = "x"; }, "the hidden 'x'");
  check_spoiled([](Command& c) { c.limits.cpu = std::chrono::seconds(-1); }, "negative");
}

}  // namespace
}  // namespace clever::confine::internal
