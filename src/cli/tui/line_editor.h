#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/tui/cell_screen.h"
#include "cli/tui/key.h"

namespace clever::cli {

/// What is being typed: one or more lines with a cursor, earlier ones within reach.
///
///   Enter submits; Alt-Enter, or a backslash at the end, begins another line
///   Left Right Home End, Ctrl-A Ctrl-E, Alt-B Alt-F: move      Up Down: lines, then history
///   Backspace Delete Ctrl-D Ctrl-W Ctrl-U Ctrl-K: remove       Ctrl-Y: put back
///   Ctrl-R: search the history; again: an older one; Enter takes it, Escape does not
///   Tab: completion, by the editor's owner
///
/// A value, used by one thread. Knows characters and their columns, not bytes.
class LineEditor {
 public:
  enum class Outcome : std::uint8_t { kNothing, kSubmit, kInterrupt, kEnd, kComplete, kRefresh };

  explicit LineEditor(std::vector<std::string> history = {}) : history_(std::move(history)) {}

  /// What the key comes to. After kSubmit text() is what was meant, until clear().
  Outcome handle(const Key& key);

  [[nodiscard]] const std::string& text() const { return text_; }
  /// In bytes, at the beginning of a character or the end.
  [[nodiscard]] std::size_t cursor() const { return cursor_; }
  void set(std::string text, std::size_t cursor);
  void clear();
  /// What was submitted, for the next time; the same twice in a row is kept once.
  void remember(std::string entry);
  [[nodiscard]] bool is_searching() const { return search_.has_value(); }

  /// Rows for a terminal, the first behind `prompt`, no wider than `width`; and where the cursor
  /// is.
  struct Picture {
    std::vector<std::string> rows{};
    CellPlace cursor{};
  };
  [[nodiscard]] Picture picture(std::string_view prompt, std::size_t width) const;

 private:
  struct Search {
    std::string words{};
    /// Place in the history of what was found; its size: nothing.
    std::size_t found = 0;
    std::string before{};
  };

  Outcome handle_control(char32_t letter);
  Outcome handle_alt(char32_t letter);
  Outcome handle_search(const Key& key);
  Outcome enter(bool alt);
  void insert(std::string_view text);
  void erase(std::size_t begin, std::size_t end, bool kept = false);
  void look_back(std::size_t from);
  void browse(bool older);
  void move_line(bool up);
  [[nodiscard]] std::size_t before(std::size_t at) const;
  [[nodiscard]] std::size_t after(std::size_t at) const;
  [[nodiscard]] std::size_t word_before(std::size_t at) const;
  [[nodiscard]] std::size_t word_after(std::size_t at) const;
  [[nodiscard]] std::size_t line_begin(std::size_t at) const;
  [[nodiscard]] std::size_t line_end(std::size_t at) const;

  std::string text_;
  std::size_t cursor_ = 0;
  std::string removed_;
  std::vector<std::string> history_;
  /// Which entry is shown; none: what is new, kept in draft_ meanwhile.
  std::optional<std::size_t> shown_;
  std::string draft_;
  std::optional<Search> search_;
};

/// Draws a picture over the last one, and leaves the cursor where it belongs.
class EditorRegion {
 public:
  [[nodiscard]] std::string draw(const LineEditor::Picture& picture);
  /// What comes next begins below it.
  [[nodiscard]] std::string leave();

 private:
  std::size_t rows_ = 0;
  std::size_t cursor_row_ = 0;
};

}  // namespace clever::cli
