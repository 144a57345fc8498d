#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

#include "base/monitor.h"
#include "explore/explore.h"
#include "http/internal/session.h"

namespace clever::http::internal {
namespace {

constexpr explore::Options kRandom{.strategy = explore::Strategy::kRandom, .schedules = 500};
constexpr explore::Options kPct{
    .strategy = explore::Strategy::kPct, .schedules = 500, .preemptions = 4};

// What epoll and an eventfd are to the network thread.
class NetworkBell {
 public:
  void ring() {
    rung_.update([](bool& rung) { rung = true; });
  }
  void wait() {
    rung_
        .update_when(
            {}, base::Deadline::never(), [](bool rung) { return rung; },
            [](bool& rung) { rung = false; })
        .value();
  }

 private:
  base::Monitor<bool> rung_;
};

struct Happenings {
  bool peer_gone = false;
  bool drain = false;
  bool stop = false;
};

// The network thread with everything but sockets: one connection whose peer takes all there is.
class OneConnection {
 public:
  explicit OneConnection(const Limits& limits = {})
      : hub_(std::make_shared<Hub>(limits, [bell = bell_] { bell->ring(); })) {}

  // The handler's side.
  Responder await_responder() {
    return *responder_
                .update_when(
                    {}, base::Deadline::never(), [](const auto& r) { return r.has_value(); },
                    [](auto& r) { return std::exchange(r, std::nullopt); })
                .value();
  }
  void hang_up() {
    happenings_.with([](Happenings& h) { h.peer_gone = true; });
    bell_->ring();
  }
  void drain() {
    happenings_.with([](Happenings& h) { h.drain = true; });
    bell_->ring();
  }
  void stop() {
    happenings_.with([](Happenings& h) { h.stop = true; });
    bell_->ring();
  }

  void run() {
    std::optional<Session> session;
    session.emplace(Session::Surroundings{hub_, date_, dispatch_, at_once_}, Peer{}, nullptr, now_);
    session->receive("GET / HTTP/1.1\r\nHost: a\r\n\r\n", now_);
    while (true) {
      const Happenings seen = happenings_.with([](const Happenings& h) { return h; });
      if (seen.stop) break;
      if (seen.drain) session->drain(now_);
      if (seen.peer_gone) session->abandon(StreamEnd::kPeerGone, now_);
      for (const Command& command : hub_->mailbox().take()) {
        if (command.exchange->session != nullptr) command.exchange->session->apply(command, now_);
      }
      send(*session);
      if (!hub_->mailbox().try_sleep()) continue;
      bell_->wait();
      hub_->mailbox().woke();
    }
    session.reset();
    hub_->mailbox().close();
  }

  // After run().
  [[nodiscard]] const std::string& output() const { return output_; }
  [[nodiscard]] std::size_t streams() const { return hub_->streams(); }

 private:
  void send(Session& session) {
    while (!session.connection().is_over() && !session.connection().output().empty()) {
      const std::string piece(session.connection().output());
      output_ += piece;
      session.sent(piece.size(), now_);
    }
  }

  const std::shared_ptr<NetworkBell> bell_ = std::make_shared<NetworkBell>();
  const std::shared_ptr<Hub> hub_;
  DateLine date_;
  const base::TimePoint now_{};
  base::Guarded<Happenings> happenings_;
  base::Monitor<std::optional<Responder>> responder_;
  const Dispatch dispatch_ = [this](std::shared_ptr<const Request>, Responder responder) {
    responder_.update([&](auto& slot) { slot.emplace(std::move(responder)); });
    return true;
  };
  const AtOnce at_once_;
  std::string output_;
};

// How often a stream's end was reported, and why.
struct Ends {
  int count = 0;
  StreamEnd reason = StreamEnd::kClosed;
};

Responder::OnClose note_end(base::Monitor<Ends>& ends) {
  return [&ends](StreamEnd reason) {
    ends.update([&](Ends& e) {
      ++e.count;
      e.reason = reason;
    });
  };
}

void answers_race_the_end(explore::Run& run) {
  OneConnection connection;
  base::Guarded<int> answered;
  run.thread("network", [&] { connection.run(); });
  run.thread("handler", [&] {
    Responder responder = connection.await_responder();
    const bool first = responder.answer({.body = "one"});
    const bool second = responder.answer({.body = "two"});
    run.require(!second, "a request was answered twice");
    answered.with([&](int& n) { n = first ? 1 : 0; });
    connection.stop();
  });
  run.thread("peer", [&] { connection.hang_up(); });
  run.thread("drain", [&] { connection.drain(); });
  run.join();
  const std::string& output = connection.output();
  run.require(output.empty() || output.ends_with("\r\n\r\none"), "half an answer");
  run.require(output.empty() || answered.with([](int n) { return n == 1; }),
              "an answer that was refused has left");
}

void streams_race_the_end(explore::Run& run) {
  OneConnection connection;
  base::Monitor<Ends> ends;
  run.thread("network", [&] { connection.run(); });
  run.thread("handler", [&] {
    Responder responder = connection.await_responder();
    Stream stream = responder.stream({}, note_end(ends));
    stream.send("first ");
    stream.send("second");
    stream.close();
    run.require(stream.send("third") == Stream::Sent::kClosed, "sent after the close");
    ends.wait({}, base::Deadline::never(), [](const Ends& e) { return e.count > 0; }).value();
    connection.stop();
  });
  run.thread("peer", [&] { connection.hang_up(); });
  run.thread("drain", [&] { connection.drain(); });
  run.join();
  const Ends end = ends.read([](const Ends& e) { return e; });
  run.require(end.count == 1, "a stream has not one end");
  run.require(end.reason == StreamEnd::kClosed || end.reason == StreamEnd::kPeerGone, "why?");
  run.require(connection.streams() == 0, "a stream is still counted");
  const std::size_t second = connection.output().find("second");
  run.require(second == std::string::npos || connection.output().find("first ") < second,
              "pieces are out of order");
}

void a_full_stream_is_cut_once(explore::Run& run) {
  Limits limits;
  limits.stream_buffer_bytes = 4;
  OneConnection connection(limits);
  base::Monitor<Ends> ends;
  run.thread("network", [&] { connection.run(); });
  run.thread("handler", [&] {
    Responder responder = connection.await_responder();
    Stream stream = responder.stream({}, note_end(ends));
    bool full = false;
    for (int i = 0; i < 3; ++i) {
      const Stream::Sent sent = stream.send("123");
      run.require(!full || sent == Stream::Sent::kClosed, "accepted after it was full");
      full = full || sent == Stream::Sent::kFull;
    }
    stream.close();
    const bool told_full = full;
    ends.wait({}, base::Deadline::never(), [](const Ends& e) { return e.count > 0; }).value();
    const Ends end = ends.read([](const Ends& e) { return e; });
    run.require(!told_full || end.reason == StreamEnd::kSlowReader, "full, and not cut");
    connection.stop();
  });
  run.join();
  run.require(ends.read([](const Ends& e) { return e.count; }) == 1, "a stream has not one end");
}

// Two threads send on one stream, and its peer takes everything.
void all_pieces_arrive(explore::Run& run) {
  OneConnection connection;
  base::Monitor<Ends> ends;
  base::Monitor<std::shared_ptr<Stream>> stream;
  const auto await_stream = [&stream] {
    return stream
        .update_when(
            {}, base::Deadline::never(), [](const auto& s) { return s != nullptr; },
            [](const auto& s) { return s; })
        .value();
  };
  run.thread("network", [&] { connection.run(); });
  run.thread("handler", [&] {
    Responder responder = connection.await_responder();
    const auto made = std::make_shared<Stream>(responder.stream({}, note_end(ends)));
    stream.update([&](auto& slot) { slot = made; });
    made->send("[a]");
  });
  run.thread("other", [&] {
    const auto shared = await_stream();
    shared->send("[b]");
    stream.update([](auto& slot) { slot = nullptr; });
  });
  run.thread("end", [&] {
    // The last of the handles closes the stream.
    ends.wait({}, base::Deadline::never(), [](const Ends& e) { return e.count > 0; }).value();
    connection.stop();
  });
  run.join();
  run.require(ends.read([](const Ends& e) { return e.reason; }) == StreamEnd::kClosed, "cut");
  run.require(connection.output().contains("[a]") && connection.output().contains("[b]"),
              "a piece is lost");
}

// A stream's buffer whose reader says that it has taken everything in a second step: what is sent
// in between is not announced.
class NaiveBuffer {
 public:
  // True if the network thread must be notified.
  bool send() {
    return state_.with([](State& state) {
      ++state.pending;
      return !std::exchange(state.announced, true);
    });
  }
  int take() {
    const int taken = state_.with([](State& state) { return std::exchange(state.pending, 0); });
    state_.with([](State& state) { state.announced = false; });
    return taken;
  }

 private:
  struct State {
    int pending = 0;
    bool announced = false;
  };
  base::Guarded<State> state_;
};

void naive_take(explore::Run& run) {
  NaiveBuffer buffer;
  NetworkBell bell;
  run.thread("network", [&] {
    int taken = 0;
    while (taken < 2) {
      bell.wait();
      taken += buffer.take();
    }
  });
  run.thread("handler", [&] {
    for (int i = 0; i < 2; ++i) {
      if (buffer.send()) bell.ring();
    }
  });
  run.join();
}

TEST(SessionExplore, TakingInTwoStepsLosesWhatIsSentBetween) {
  EXPECT_FINDS(explore::Failure::kLostWakeUp, explore::explore(kRandom, naive_take));
}

TEST(SessionExplore, AnAnswerLeavesWholeOrNotAtAll) {
  EXPECT_NO_FAILURE(explore::explore(kRandom, answers_race_the_end));
  EXPECT_NO_FAILURE(explore::explore(kPct, answers_race_the_end));
}

TEST(SessionExplore, AStreamEndsOnceWhateverRaces) {
  EXPECT_NO_FAILURE(explore::explore(kRandom, streams_race_the_end));
  EXPECT_NO_FAILURE(explore::explore(kPct, streams_race_the_end));
}

TEST(SessionExplore, MessagesOfSeveralThreadsArrive) {
  EXPECT_NO_FAILURE(explore::explore(kRandom, all_pieces_arrive));
  EXPECT_NO_FAILURE(explore::explore(kPct, all_pieces_arrive));
}

TEST(SessionExplore, AFullStreamIsCutOnce) {
  EXPECT_NO_FAILURE(explore::explore(kRandom, a_full_stream_is_cut_once));
  EXPECT_NO_FAILURE(explore::explore(kPct, a_full_stream_is_cut_once));
}

}  // namespace
}  // namespace clever::http::internal
