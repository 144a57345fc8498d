#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/guarded.h"
#include "engine/plan_store.h"
#include "model/message.h"

namespace clever::test {

/// A store of plans that has bodies only, and counts how many were asked for.
class BodiesStore final : public engine::PlanStore {
 public:
  base::Sha256Digest add(std::string text) {
    return add_raw(model::to_json({{model::Role::kUser, {model::Text{std::move(text)}}}}));
  }
  base::Sha256Digest add_raw(std::string content) {
    const base::Sha256Digest hash = base::sha256(content);
    state_.with([&](State& state) { state.bodies[hash] = std::move(content); });
    return hash;
  }
  [[nodiscard]] std::size_t asked() const {
    return state_.with([](const State& state) { return state.asked; });
  }

  base::Result<std::vector<storage::Body>> bodies(
      std::span<const base::Sha256Digest> hashes) override {
    return state_.with([&](State& state) -> base::Result<std::vector<storage::Body>> {
      std::vector<storage::Body> found;
      for (const base::Sha256Digest& hash : hashes) {
        ++state.asked;
        const auto body = state.bodies.find(hash);
        if (body == state.bodies.end()) return base::not_found("no body " + hash.to_hex());
        found.push_back({hash, body->second});
      }
      return found;
    });
  }

  base::Result<storage::Lease> acquire(const model::PlanId&) override { return none(); }
  base::Result<void> release(const storage::Lease&) override { return none(); }
  base::Result<std::vector<storage::Lease>> renew() override { return none(); }
  base::Result<storage::LoadedPlan> load(const model::PlanId&) override { return none(); }
  void append(storage::Append, Done<storage::Head> done) override { done(none()); }
  base::Result<std::vector<storage::Command>> pending(const model::PlanId&) override {
    return none();
  }
  base::Result<storage::CommandReceipt> send(const model::PlanId&, std::string,
                                             std::string) override {
    return none();
  }
  base::Result<storage::CommandReceipt> receipt(const model::PlanId&, const std::string&) override {
    return none();
  }
  std::vector<storage::Statement> send_statements(const model::PlanId&, std::string,
                                                  std::string) override {
    return {};
  }
  base::Result<storage::Budgets::Room> room(const std::vector<std::string>&,
                                            const model::Cost&) override {
    return none();
  }
  base::Result<void> ensure_cap(const std::string&, const storage::Caps&) override {
    return none();
  }
  std::unique_ptr<storage::Subscription> watch(const model::PlanId&,
                                               std::function<void()>) override {
    return nullptr;
  }
  std::unique_ptr<storage::Subscription> watch_budget(const std::string&,
                                                      std::function<void()>) override {
    return nullptr;
  }

 private:
  struct State {
    std::map<base::Sha256Digest, std::string> bodies{};
    std::size_t asked = 0;
  };
  static base::Error none() { return base::unavailable("this store has bodies only"); }

  base::Guarded<State> state_;
};

}  // namespace clever::test
