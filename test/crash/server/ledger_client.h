#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/stop_token.h"
#include "crash/server/ledger.h"
#include "crash/server/server_victim.h"
#include "model/document.h"

namespace clever::server::crash {

/// A client that outlives servers: it sends each request under a key of its own until it is
/// answered, and enters the answer into the ledger. Used by one thread.
class LedgerClient {
 public:
  LedgerClient(const ServerVictim& server, Ledger& ledger, std::size_t number,
               base::StopToken stop);

  /// Sessions with messages, and plans that ask, one after another until the stop.
  void run();

 private:
  using Document = model::Document;

  void converse(const std::string& name);
  // Returns true once the plan has answered it.
  bool tell(const std::string& session, const std::string& text);
  void have_approved(const std::string& name);
  bool answer(const std::string& plan);

  /// None: stopped, or the server was killed and cannot tell the outcome.
  std::optional<Document> post(const std::string& path, const std::string& body);
  std::optional<Document> get(const std::string& path);
  /// False: stopped.
  bool wait_for(const std::string& plan, std::string_view state);
  void rest();

  const ServerVictim& server_;
  Ledger& ledger_;
  const std::size_t number_;
  const base::StopToken stop_;
  std::size_t keys_ = 0;
};

}  // namespace clever::server::crash
