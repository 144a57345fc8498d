#include "cli/tui/line_editor.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "cli/words.h"
#include "service/text.h"

namespace clever::cli {
namespace {

using KeyKind = Key::Kind;

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t'; }

// Only lines of text, no other control characters.
std::string cleaned(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t c = next_code_point(text, at);
    const std::string_view bytes = text.substr(begin, at - begin);
    if (c == '\r') {
      if (at >= text.size() || text[at] != '\n') result.push_back('\n');
    } else if (c == '\n') {
      result.push_back('\n');
    } else if (c == '\t') {
      result.append("    ");
    } else {
      result.append(printable(bytes));
    }
  }
  return result;
}

}  // namespace

void LineEditor::set(std::string text, std::size_t cursor) {
  text_ = std::move(text);
  cursor_ = std::min(cursor, text_.size());
}

void LineEditor::clear() {
  text_.clear();
  draft_.clear();
  cursor_ = 0;
  shown_.reset();
  search_.reset();
}

void LineEditor::remember(std::string entry) {
  if (entry.empty() || (!history_.empty() && history_.back() == entry)) return;
  history_.push_back(std::move(entry));
}

LineEditor::Outcome LineEditor::handle(const Key& key) {
  if (search_) return handle_search(key);
  switch (key.kind) {
    case KeyKind::kCharacter:
      if (key.ctrl) return handle_control(key.code);
      if (key.alt) return handle_alt(key.code);
      {
        std::string character;
        base::append_utf8(character, key.code);
        insert(printable(character));
      }
      break;
    case KeyKind::kPaste:
      insert(cleaned(key.text));
      break;
    case KeyKind::kEnter:
      return enter(key.alt);
    case KeyKind::kTab:
      return Outcome::kComplete;
    case KeyKind::kBackspace:
      erase(key.alt ? word_before(cursor_) : before(cursor_), cursor_, key.alt);
      break;
    case KeyKind::kDelete:
      erase(cursor_, after(cursor_));
      break;
    case KeyKind::kLeft:
      cursor_ = key.ctrl || key.alt ? word_before(cursor_) : before(cursor_);
      break;
    case KeyKind::kRight:
      cursor_ = key.ctrl || key.alt ? word_after(cursor_) : after(cursor_);
      break;
    case KeyKind::kHome:
      cursor_ = line_begin(cursor_);
      break;
    case KeyKind::kEnd:
      cursor_ = line_end(cursor_);
      break;
    case KeyKind::kUp:
      move_line(true);
      break;
    case KeyKind::kDown:
      move_line(false);
      break;
    case KeyKind::kBackTab:
    case KeyKind::kEscape:
    case KeyKind::kPageUp:
    case KeyKind::kPageDown:
      break;
  }
  return Outcome::kNothing;
}

LineEditor::Outcome LineEditor::handle_control(char32_t letter) {
  switch (letter) {
    case 'c':
      return Outcome::kInterrupt;
    case 'd':
      if (text_.empty()) return Outcome::kEnd;
      erase(cursor_, after(cursor_));
      break;
    case 'a':
      cursor_ = line_begin(cursor_);
      break;
    case 'e':
      cursor_ = line_end(cursor_);
      break;
    case 'b':
      cursor_ = before(cursor_);
      break;
    case 'f':
      cursor_ = after(cursor_);
      break;
    case 'p':
      move_line(true);
      break;
    case 'n':
      move_line(false);
      break;
    case 'w':
      erase(word_before(cursor_), cursor_, true);
      break;
    case 'u':
      erase(line_begin(cursor_), cursor_, true);
      break;
    case 'k':
      erase(cursor_, line_end(cursor_), true);
      break;
    case 'y':
      insert(removed_);
      break;
    case 'l':
      return Outcome::kRefresh;
    case 'r':
      search_ = Search{.found = history_.size(), .before = text_};
      break;
    default:
      break;
  }
  return Outcome::kNothing;
}

LineEditor::Outcome LineEditor::handle_alt(char32_t letter) {
  if (letter == 'b') cursor_ = word_before(cursor_);
  if (letter == 'f') cursor_ = word_after(cursor_);
  if (letter == 'd') erase(cursor_, word_after(cursor_), true);
  return Outcome::kNothing;
}

LineEditor::Outcome LineEditor::enter(bool alt) {
  if (alt) {
    insert("\n");
    return Outcome::kNothing;
  }
  if (cursor_ == text_.size() && text_.ends_with('\\')) {
    text_.back() = '\n';
    return Outcome::kNothing;
  }
  return Outcome::kSubmit;
}

LineEditor::Outcome LineEditor::handle_search(const Key& key) {
  if (key.is_ctrl('r')) {
    look_back(std::min(search_->found, history_.size()));
  } else if (key.kind == KeyKind::kCharacter && !key.ctrl && !key.alt) {
    base::append_utf8(search_->words, key.code);
    look_back(std::min(search_->found + 1, history_.size()));
  } else if (key.kind == KeyKind::kBackspace) {
    while (!search_->words.empty()) {
      const auto last = static_cast<unsigned char>(search_->words.back());
      search_->words.pop_back();
      if ((last & 0xC0U) != 0x80U) break;
    }
    look_back(history_.size());
  } else if (key.kind == KeyKind::kEscape || key.is_ctrl('g') || key.is_ctrl('c')) {
    const std::string before = search_->before;
    search_.reset();
    set(before, before.size());
  } else {
    // Any other key accepts the found entry and then has its usual meaning.
    search_.reset();
    if (key.kind != KeyKind::kEnter) return handle(key);
  }
  return Outcome::kNothing;
}

// Finds the newest entry before `from` that contains the words; keeps the last one if there is
// none.
void LineEditor::look_back(std::size_t from) {
  if (search_->words.empty()) return;
  for (std::size_t at = from; at-- > 0;) {
    if (history_[at].find(search_->words) == std::string::npos) continue;
    search_->found = at;
    set(history_[at], history_[at].size());
    return;
  }
}

void LineEditor::insert(std::string_view text) {
  text_.insert(cursor_, text);
  cursor_ += text.size();
}

void LineEditor::erase(std::size_t begin, std::size_t end, bool kept) {
  if (kept && end > begin) removed_ = text_.substr(begin, end - begin);
  text_.erase(begin, end - begin);
  cursor_ = begin;
}

void LineEditor::browse(bool older) {
  const std::size_t place = shown_.value_or(history_.size());
  if (older ? place == 0 : place >= history_.size()) return;
  if (!shown_) draft_ = text_;
  const std::size_t next = older ? place - 1 : place + 1;
  shown_ = next < history_.size() ? std::optional(next) : std::nullopt;
  const std::string& entry = shown_ ? history_[next] : draft_;
  set(entry, entry.size());
}

void LineEditor::move_line(bool up) {
  const std::size_t begin = line_begin(cursor_);
  const std::size_t end = line_end(cursor_);
  if (up ? begin == 0 : end == text_.size()) return browse(up);
  const std::size_t column = columns(std::string_view(text_).substr(begin, cursor_ - begin));
  std::size_t at = up ? line_begin(begin - 1) : end + 1;
  const std::size_t last = line_end(at);
  const std::size_t first = at;
  while (at < last && columns(std::string_view(text_).substr(first, at - first)) < column) {
    at = after(at);
  }
  cursor_ = at;
}

// Combining marks belong to the character before them.
std::size_t LineEditor::before(std::size_t at) const {
  while (at > 0) {
    do {
      --at;
    } while (at > 0 && (static_cast<unsigned char>(text_[at]) & 0xC0U) == 0x80U);
    if (text_[at] == '\n' || columns(std::string_view(text_).substr(at, after(at) - at)) > 0) break;
  }
  return at;
}

std::size_t LineEditor::after(std::size_t at) const {
  if (at >= text_.size()) return text_.size();
  std::size_t end = at;
  static_cast<void>(next_code_point(text_, end));
  while (end < text_.size() && text_[end] != '\n') {
    std::size_t next = end;
    static_cast<void>(next_code_point(text_, next));
    if (columns(std::string_view(text_).substr(end, next - end)) > 0) break;
    end = next;
  }
  return end;
}

std::size_t LineEditor::word_before(std::size_t at) const {
  while (at > 0 && is_space(text_[at - 1])) --at;
  while (at > 0 && !is_space(text_[at - 1])) --at;
  return at;
}

std::size_t LineEditor::word_after(std::size_t at) const {
  while (at < text_.size() && is_space(text_[at])) ++at;
  while (at < text_.size() && !is_space(text_[at])) ++at;
  return at;
}

std::size_t LineEditor::line_begin(std::size_t at) const {
  const std::size_t end = at == 0 ? std::string::npos : text_.rfind('\n', at - 1);
  return end == std::string::npos ? 0 : end + 1;
}

std::size_t LineEditor::line_end(std::size_t at) const {
  return std::min(text_.find('\n', at), text_.size());
}

LineEditor::Picture LineEditor::picture(std::string_view prompt, std::size_t width) const {
  const std::string lead =
      search_ ? "search “" + printable(search_->words) + "”: " : std::string(prompt);
  const std::string indent(columns(prompt), ' ');
  Picture picture{.rows = {lead}};
  std::size_t used = columns(lead);
  const auto next_row = [&] {
    picture.rows.push_back(indent);
    used = columns(indent);
  };
  for (std::size_t at = 0; at < text_.size();) {
    const std::size_t next = after(at);
    const std::string_view character = std::string_view(text_).substr(at, next - at);
    const std::size_t wide = character == "\n" ? 0 : columns(character);
    if (used + wide >= width && used > columns(indent)) next_row();
    if (at == cursor_) picture.cursor = {picture.rows.size() - 1, used};
    if (character == "\n") {
      next_row();
    } else {
      picture.rows.back().append(character);
      used += wide;
    }
    at = next;
  }
  if (cursor_ == text_.size()) picture.cursor = {picture.rows.size() - 1, used};
  return picture;
}

std::string EditorRegion::draw(const LineEditor::Picture& picture) {
  std::string bytes = "\r";
  if (cursor_row_ > 0) bytes += "\x1b[" + std::to_string(cursor_row_) + "A";
  for (std::size_t row = 0; row < picture.rows.size(); ++row) {
    bytes += (row > 0 ? "\n" : "") + picture.rows[row] + "\x1b[K";
  }
  bytes += "\x1b[J";
  const std::size_t up = picture.rows.size() - 1 - picture.cursor.row;
  if (up > 0) bytes += "\x1b[" + std::to_string(up) + "A";
  bytes += "\r";
  if (picture.cursor.column > 0) bytes += "\x1b[" + std::to_string(picture.cursor.column) + "C";
  rows_ = picture.rows.size();
  cursor_row_ = picture.cursor.row;
  return bytes;
}

std::string EditorRegion::leave() {
  if (rows_ == 0) return {};
  std::string bytes;
  const std::size_t down = rows_ - 1 - cursor_row_;
  if (down > 0) bytes += "\x1b[" + std::to_string(down) + "B";
  rows_ = 0;
  cursor_row_ = 0;
  return bytes + "\r\n";
}

}  // namespace clever::cli
