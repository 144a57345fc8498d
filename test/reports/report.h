#pragma once
// A report's models and the properties they are held to. Each property is a body for the explorer;
// each model says which of them it breaks, and keeps all others.
//
// A component of the product joins a report with one line in its *_rows.cc:
//   book.add("ours", registry::properties<OurRegistry>(), {});

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "explore/explore.h"

namespace clever::reports {

using Body = std::function<void(explore::Run&)>;

/// What a model must do under every schedule.
struct Property {
  std::string name;    // "one_identity"
  std::string when;    // the scenario: "two workers ask for the registry at the same time"
  std::string broken;  // what is said of a schedule that breaks it
  Body body;
  /// How a model that breaks it shows: a check, or everybody waiting for everybody.
  explore::Failure shows_as = explore::Failure::kCheck;
};

/// One model held to one property.
struct Row {
  std::string report;   // "7031"
  std::string subject;  // "provider registry"
  std::string model;    // "reported", "proposed", …
  Property property;
  bool breaks = false;

  /// "7031/reported/one_identity"
  [[nodiscard]] std::string name() const { return report + "/" + model + "/" + property.name; }
};

/// Collects the rows of one report.
class Book {
 public:
  Book(std::string report, std::string subject)
      : report_(std::move(report)), subject_(std::move(subject)) {}

  /// Holds `model` to all properties; `breaks` names those it is known to break. A name that is no
  /// property is a mistake and aborts.
  void add(const std::string& model, std::vector<Property> properties,
           std::initializer_list<std::string_view> breaks);
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }

 private:
  std::string report_;
  std::string subject_;
  std::vector<Row> rows_;
};

[[nodiscard]] Book registry_book();
[[nodiscard]] Book breaker_book();
[[nodiscard]] Book batch_book();
[[nodiscard]] Book engine_cache_book();
[[nodiscard]] Book error_recovery_book();
[[nodiscard]] Book changeset_book();
[[nodiscard]] Book counter_book();
[[nodiscard]] Book container_book();

/// Every row, report by report.
[[nodiscard]] std::vector<Row> all_rows();

}  // namespace clever::reports
