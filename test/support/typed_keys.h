#pragma once
#include <string_view>
#include <utility>
#include <vector>

#include "cli/tui/key_decoder.h"
#include "cli/tui/tui_model.h"

namespace clever::test {

/// What a terminal's bytes say, nothing more to come.
inline std::vector<cli::Key> typed_keys(std::string_view bytes) {
  cli::KeyDecoder decoder;
  std::vector<cli::Key> keys = decoder.feed(bytes);
  for (cli::Key& key : decoder.flush()) keys.push_back(std::move(key));
  return keys;
}

/// What the model wishes while these bytes are typed.
inline std::vector<cli::TuiWish> type_into(cli::TuiModel& model, std::string_view bytes) {
  std::vector<cli::TuiWish> wishes;
  for (const cli::Key& key : typed_keys(bytes)) {
    for (cli::TuiWish& wish : model.update(key)) wishes.push_back(std::move(wish));
  }
  return wishes;
}

}  // namespace clever::test
