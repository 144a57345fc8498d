#include "http/internal/tls_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/ssl.h>

#include <array>
#include <memory>
#include <string>

#include "support/certificate.h"
#include "support/temporary_directory.h"

namespace clever::http::internal {
namespace {

using ::testing::HasSubstr;

struct FreeContext {
  void operator()(SSL_CTX* context) const { ::SSL_CTX_free(context); }
};
struct FreeSession {
  void operator()(SSL* session) const { ::SSL_free(session); }
};

// OpenSSL's client, in memory.
class TlsPeer {
 public:
  explicit TlsPeer(int version = 0, std::string_view protocols = {}) {
    ::SSL_CTX_set_security_level(context_.get(), 0);
    if (version != 0) {
      ::SSL_CTX_set_min_proto_version(context_.get(), version);
      ::SSL_CTX_set_max_proto_version(context_.get(), version);
    }
    session_.reset(::SSL_new(context_.get()));
    ::SSL_set_bio(session_.get(), ::BIO_new(::BIO_s_mem()), ::BIO_new(::BIO_s_mem()));
    ::SSL_set_connect_state(session_.get());
    const std::string list(protocols);
    ::SSL_set_alpn_protos(session_.get(), reinterpret_cast<const unsigned char*>(list.data()),
                          static_cast<unsigned>(list.size()));
  }

  // True once the handshake is through.
  bool shake() { return ::SSL_do_handshake(session_.get()) == 1; }
  void say(std::string_view text) {
    EXPECT_EQ(::SSL_write(session_.get(), text.data(), static_cast<int>(text.size())),
              static_cast<int>(text.size()));
  }
  void end() { ::SSL_shutdown(session_.get()); }
  std::string heard() {
    std::string all;
    std::array<char, 4096> buffer{};
    for (int size = 0; (size = ::SSL_read(session_.get(), buffer.data(), buffer.size())) > 0;) {
      all.append(buffer.data(), static_cast<std::size_t>(size));
    }
    return all;
  }
  std::string version() { return ::SSL_get_version(session_.get()); }
  std::string protocol() {
    const unsigned char* name = nullptr;
    unsigned size = 0;
    ::SSL_get0_alpn_selected(session_.get(), &name, &size);
    return {reinterpret_cast<const char*>(name), size};
  }
  void renegotiate() { ::SSL_renegotiate(session_.get()); }

  std::string take_output() {
    std::string bytes(::BIO_ctrl_pending(::SSL_get_wbio(session_.get())), '\0');
    if (!bytes.empty()) {
      ::BIO_read(::SSL_get_wbio(session_.get()), bytes.data(), static_cast<int>(bytes.size()));
    }
    return bytes;
  }
  void give(std::string_view bytes) {
    ::BIO_write(::SSL_get_rbio(session_.get()), bytes.data(), static_cast<int>(bytes.size()));
  }

 private:
  const std::unique_ptr<SSL_CTX, FreeContext> context_{::SSL_CTX_new(::TLS_client_method())};
  std::unique_ptr<SSL, FreeSession> session_;
};

class TlsSessionTest : public ::testing::Test {
 protected:
  TlsSessionTest() {
    const test::Certificate certificate = test::self_signed();
    files_ = {.certificate = folder_.write("certificate.pem", certificate.certificate),
              .key = folder_.write("key.pem", certificate.key)};
    session_ = std::make_unique<TlsSession>(*TlsContext::load(files_).value());
  }

  // Carries bytes both ways until nothing moves; returns what the server heard.
  std::string exchange(TlsPeer& peer) {
    std::string plain;
    for (bool moved = true; moved;) {
      peer.shake();
      const std::string to_server = peer.take_output();
      if (!to_server.empty()) state_ = session_->receive(to_server, plain);
      const std::string to_peer(session_->output());
      session_->sent(to_peer.size());
      peer.give(to_peer);
      moved = !to_server.empty() || !to_peer.empty();
    }
    return plain;
  }

  const test::TemporaryDirectory folder_;
  TlsFiles files_;
  std::unique_ptr<TlsSession> session_;
  TlsSession::State state_ = TlsSession::State::kOpen;
};

TEST_F(TlsSessionTest, CarriesBytesBothWays) {
  TlsPeer peer;
  exchange(peer);
  EXPECT_EQ(peer.version(), "TLSv1.3");
  peer.say("hello");
  EXPECT_EQ(exchange(peer), "hello");
  ASSERT_TRUE(session_->write("world"));
  exchange(peer);
  EXPECT_EQ(peer.heard(), "world");
  EXPECT_EQ(state_, TlsSession::State::kOpen);
}

TEST_F(TlsSessionTest, TakesBytesOneByOne) {
  TlsPeer peer;
  peer.shake();
  std::string plain;
  for (const char c : peer.take_output()) {
    EXPECT_EQ(session_->receive({&c, 1}, plain), TlsSession::State::kOpen);
  }
  exchange(peer);
  EXPECT_TRUE(peer.shake());
}

TEST_F(TlsSessionTest, SendsAndReceivesTheEnd) {
  TlsPeer peer;
  exchange(peer);
  peer.end();
  exchange(peer);
  EXPECT_EQ(state_, TlsSession::State::kEnded);
  session_->close();
  EXPECT_FALSE(session_->output().empty());
}

TEST_F(TlsSessionTest, AnEndBeforeTheHandshakeIsSilent) {
  session_->close();
  EXPECT_TRUE(session_->output().empty());
  EXPECT_FALSE(session_->write("early"));
}

TEST_F(TlsSessionTest, SpeaksVersion12) {
  TlsPeer peer(TLS1_2_VERSION);
  exchange(peer);
  peer.say("hello");
  EXPECT_EQ(exchange(peer), "hello");
}

TEST_F(TlsSessionTest, RefusesToNegotiateAgain) {
  TlsPeer peer(TLS1_2_VERSION);
  exchange(peer);
  peer.renegotiate();
  exchange(peer);
  EXPECT_FALSE(peer.shake());
}

TEST_F(TlsSessionTest, RefusesOlderVersions) {
  TlsPeer peer(TLS1_1_VERSION);
  exchange(peer);
  EXPECT_FALSE(peer.shake());
  EXPECT_EQ(state_, TlsSession::State::kBroken);
}

TEST_F(TlsSessionTest, ChoosesHttp11) {
  TlsPeer peer(0, "\x02h2\x08http/1.1");
  exchange(peer);
  EXPECT_EQ(peer.protocol(), "http/1.1");
}

TEST_F(TlsSessionTest, RefusesClientsOfOtherProtocols) {
  TlsPeer peer(0, "\x02h2");
  exchange(peer);
  EXPECT_FALSE(peer.shake());
  EXPECT_EQ(state_, TlsSession::State::kBroken);
}

TEST_F(TlsSessionTest, RefusesWhatIsNotTls) {
  std::string plain;
  EXPECT_EQ(session_->receive("GET / HTTP/1.1\r\nHost: a\r\n\r\n", plain),
            TlsSession::State::kBroken);
  EXPECT_EQ(plain, "");
}

TEST_F(TlsSessionTest, SaysWhichFileIsUnusable) {
  const auto message = [](const TlsFiles& files) {
    const auto context = TlsContext::load(files);
    return context.ok() ? "" : context.error().message();
  };
  EXPECT_THAT(message({folder_ / "none", files_.key}), HasSubstr("certificate in"));
  EXPECT_THAT(message({files_.certificate, folder_.write("bad", "no key")}), HasSubstr("key in"));
  // Of another certificate.
  const auto other = folder_.write("other.pem", test::self_signed().key);
  EXPECT_THAT(message({files_.certificate, other}), HasSubstr("key values mismatch"));
}

TEST_F(TlsSessionTest, AFailedReloadKeepsTheFormerCertificate) {
  TlsSlot slot(files_);
  EXPECT_EQ(slot.context(), nullptr);
  ASSERT_TRUE(slot.load().ok());
  const auto before = slot.context();
  folder_.write("key.pem", "cut");
  EXPECT_FALSE(slot.load().ok());
  EXPECT_EQ(slot.context(), before);
}

}  // namespace
}  // namespace clever::http::internal
