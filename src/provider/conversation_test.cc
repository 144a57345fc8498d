#include "provider/conversation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ranges>
#include <utility>

#include "provider/anthropic/messages.h"
#include "provider/internal/request_needs.h"
#include "provider/openai/chat.h"
#include "provider/testing/wire_random_transcript.h"
#include "provider/transcript.h"
#include "support/messages.h"

namespace clever::provider {
namespace {

using model::Image;
using model::Message;
using model::Part;
using model::Role;
using model::Text;
using model::ToolCall;
using model::ToolResult;

using test::assistant_message;
using test::read_call;
using test::read_result;
using test::user_message;

std::shared_ptr<const SharedMessage> share(Message message) {
  return std::make_shared<const SharedMessage>(std::move(message));
}

Conversation shared(const std::vector<Message>& messages) {
  Conversation conversation;
  for (const Message& message : messages) conversation.push_back(share(message));
  return conversation;
}

// As long as wanted, as an actor's tool loop makes it.
std::vector<Message> turns(int count) {
  std::vector<Message> messages{user_message({Text{"do it"}})};
  for (int i = 0; i < count; ++i) {
    messages.push_back(assistant_message({read_call("call_" + std::to_string(i))}));
    messages.push_back(user_message({read_result("call_" + std::to_string(i))}));
  }
  return messages;
}

std::size_t shared_of(const Conversation& conversation) {
  return static_cast<std::size_t>(std::ranges::count_if(
      conversation.items(), [](const auto& item) { return item.shared() != nullptr; }));
}

TEST(SharedMessage, KnowsWhatIsAskedOfIt) {
  const SharedMessage calls(assistant_message({Text{"look"}, read_call("a"), read_call("b")}));
  EXPECT_TRUE(calls.is_clean());
  EXPECT_FALSE(calls.has_image());
  EXPECT_EQ(calls.call_hashes().size(), 2U);
  EXPECT_EQ(calls.bytes(), bytes_of(calls.message()));
  EXPECT_TRUE(SharedMessage(user_message({Image{"image/png", "x"}})).has_image());
}

TEST(SharedMessage, IsWrittenOncePerStyle) {
  const SharedMessage message(user_message({Text{"hi"}}));
  int written = 0;
  const auto write = [&](const Message&) { return std::to_string(++written); };
  EXPECT_EQ(*message.written(1, write), "1");
  EXPECT_EQ(*message.written(1, write), "1");
  EXPECT_EQ(*message.written(2, write), "2");
  EXPECT_EQ(*message.written(1, write), "3");
}

TEST(Conversation, IsLikeAVectorOfMessages) {
  Conversation conversation = {user_message({Text{"a"}})};
  conversation.push_back(share(assistant_message({Text{"b"}})));
  conversation.emplace_back().parts.emplace_back(Text{"c"});
  ASSERT_EQ(conversation.size(), 3U);
  EXPECT_EQ(std::as_const(conversation).front(), user_message({Text{"a"}}));
  EXPECT_EQ(std::as_const(conversation)[1], assistant_message({Text{"b"}}));
  EXPECT_EQ(conversation.at(2), user_message({Text{"c"}}));
  EXPECT_EQ(std::as_const(conversation).back(), user_message({Text{"c"}}));
  EXPECT_EQ(conversation, Conversation(conversation.to_vector()));
  std::vector<Message> backwards;
  for (const Message& message : conversation | std::views::reverse) backwards.push_back(message);
  EXPECT_EQ(backwards.front(), conversation.at(2));
}

TEST(Conversation, AChangedCopyIsIndependent) {
  const auto said = share(user_message({Text{"a"}}));
  Conversation one;
  one.push_back(said);
  Conversation other = one;
  other[0].parts.emplace_back(Text{"b"});
  EXPECT_EQ(other.back().parts.size(), 2U);
  EXPECT_EQ(said->message().parts.size(), 1U);
  EXPECT_EQ(one.items()[0].shared(), said.get());
  EXPECT_NE(one, other);
}

TEST(Corrected, HasNothingToSayAboutAGoodOne) {
  EXPECT_FALSE(corrected(shared(turns(3))));
  EXPECT_FALSE(corrected(Conversation(turns(3))));
  EXPECT_EQ(shared_of(sendable(shared(turns(3)))), 7U);
}

TEST(Corrected, AnEmptyOneBegins) { EXPECT_EQ(corrected({})->to_vector(), acceptable({})); }

TEST(Corrected, SharesTheEventsAfterTheLastChange) {
  // As turn_request() makes it: context and task, then the step, both the user's.
  Conversation conversation = {user_message({Text{"context"}})};
  conversation.append(shared(turns(5)));
  const auto changed = corrected(conversation);
  ASSERT_TRUE(changed);
  EXPECT_EQ(changed->size(), 11U);
  EXPECT_EQ(shared_of(*changed), 10U);
  EXPECT_EQ(changed->to_vector(), acceptable(conversation.to_vector()));
  EXPECT_FALSE(corrected(*changed));
}

TEST(Corrected, ACallWithoutResultIsFoundAnywhere) {
  for (const int place : {2, 4, 6}) {
    std::vector<Message> messages = turns(3);
    messages[static_cast<std::size_t>(place)] = user_message({Text{"never mind"}});
    const auto changed = corrected(shared(messages));
    ASSERT_TRUE(changed) << place;
    EXPECT_EQ(changed->to_vector(), acceptable(messages)) << place;
  }
}

TEST(Corrected, EqualIdsBecomeDifferent) {
  std::vector<Message> messages = turns(3);
  messages[5] = assistant_message({read_call("call_0")});
  messages[6] = user_message({read_result("call_0")});
  EXPECT_EQ(corrected(shared(messages))->to_vector(), acceptable(messages));
}

TEST(Corrected, AnIdThatIsTakenByAChangedOneIsChangedToo) {
  const std::vector<Message> messages = {
      user_message({Text{"x"}}), assistant_message({read_call("a"), read_call("a")}),
      user_message({read_result("a"), Text{"y"}}), assistant_message({read_call("a_2")}),
      user_message({read_result("a_2")})};
  EXPECT_EQ(corrected(shared(messages))->to_vector(), acceptable(messages));
}

TEST(Corrected, IsWhatAcceptableMakesOfIt) {
  EXPECT_TRUE(rc::check([] {
    std::vector<Message> messages = *internal::random_transcript();
    const auto more = turns(*rc::gen::inRange(0, 4));
    const auto from = more.begin() + *rc::gen::inRange(0, 2);
    messages.insert(messages.end(), from, more.end());
    Conversation conversation;
    for (const Message& message : messages) {
      if (*rc::gen::arbitrary<bool>()) {
        conversation.push_back(share(message));
      } else {
        conversation.push_back(message);
      }
    }
    const std::vector<Message> expected = acceptable(messages);
    const auto changed = corrected(conversation);
    RC_ASSERT((changed ? changed->to_vector() : messages) == expected);
    const Conversation sent = sendable(conversation);
    RC_ASSERT(sent.to_vector() == expected);
    RC_ASSERT(!corrected(sent));
  }));
}

TEST(Corrected, SharingDoesNotShowOnTheWire) {
  EXPECT_TRUE(rc::check([] {
    ModelRequest request = *internal::random_request();
    ModelRequest sharing = request;
    sharing.messages = shared(request.messages.to_vector());
    const Endpoint endpoint{.provider = "p",
                            .dialect = *rc::gen::element(Dialect::kNone, Dialect::kMistral,
                                                         Dialect::kDeepSeek, Dialect::kOpenRouter)};
    for (int i = 0; i < 2; ++i) {
      RC_ASSERT(openai::encode_chat(endpoint, "m", sharing) ==
                openai::encode_chat(endpoint, "m", request));
      RC_ASSERT(anthropic::encode_messages("m", sharing) ==
                anthropic::encode_messages("m", request));
    }
    RC_ASSERT(estimated_tokens(sharing).input == estimated_tokens(request).input);
    RC_ASSERT(needed_capabilities(sharing) == needed_capabilities(request));
  }));
}

}  // namespace
}  // namespace clever::provider
