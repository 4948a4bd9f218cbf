// Text joined from literals at compile time, for sentences that several pages have in common.
#pragma once

#include <cstddef>
#include <string_view>

namespace spec {

// A string literal as a template argument.
template <std::size_t size>
struct Literal {
  consteval Literal(const char (&literal)[size]) {
    for (std::size_t i = 0; i < size; ++i) text[i] = literal[i];
  }
  // The same in the middle of a sentence.
  consteval Literal Lowered() const {
    Literal lowered = *this;
    if (text[0] >= 'A' && text[0] <= 'Z') lowered.text[0] = static_cast<char>(text[0] - 'A' + 'a');
    return lowered;
  }
  // As ids spell it: cfg-ptr.
  consteval Literal Dashed() const {
    Literal dashed = *this;
    for (char& c : dashed.text)
      if (c == '_') c = '-';
    return dashed;
  }
  // The same without its article: "An atomic write" becomes "atomic write".
  consteval Literal Tail() const {
    std::size_t start = 0;
    while (text[start] != ' ') ++start;
    Literal tail = *this;
    for (std::size_t i = 0; i < size; ++i)
      tail.text[i] = i + start + 1 < size ? text[i + start + 1] : '\0';
    return tail;
  }
  constexpr std::size_t length() const {
    std::size_t length = 0;
    while (text[length] != '\0') ++length;
    return length;
  }
  char text[size]{};
};

namespace internal {
template <Literal... parts>
struct Joined {
  static constexpr std::size_t kSize = (0 + ... + parts.length());
  struct Buffer {
    char text[kSize + 1]{};
  };
  static constexpr Buffer kBuffer = [] {
    Buffer buffer;
    std::size_t at = 0;
    const auto add = [&](const auto& part) {
      for (std::size_t i = 0; i < part.length(); ++i) buffer.text[at++] = part.text[i];
    };
    (add(parts), ...);
    return buffer;
  }();
};
}  // namespace internal

template <Literal... parts>
inline constexpr std::string_view kJoined{internal::Joined<parts...>::kBuffer.text,
                                          internal::Joined<parts...>::kSize};

}  // namespace spec
