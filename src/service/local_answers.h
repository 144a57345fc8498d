#pragma once
#include <functional>
#include <map>
#include <string>

#include "base/clock.h"
#include "base/guarded.h"
#include "base/result.h"

namespace clever::service {

/// What a server has heard from servers of models on this machine, so that not every request asks
/// them: an answer, or that none came, counts for two seconds. Thread-safe; the clock must outlive
/// it.
class LocalAnswers {
 public:
  using Ask = std::function<base::Result<std::string>(const std::string& url)>;

  explicit LocalAnswers(const base::Clock& clock) : clock_(clock) {}

  [[nodiscard]] base::Result<std::string> get(const std::string& url, const Ask& ask);

 private:
  struct Heard {
    base::Result<std::string> answer;
    base::TimePoint at{};
  };

  const base::Clock& clock_;
  base::Guarded<std::map<std::string, Heard>> heard_;
};

}  // namespace clever::service
