// PyTorch writes a zip file whose first member is …/data.pkl; before 1.6 it wrote pickles one after the
// other, the first of which is a magic number. Of other pickles the protocol's mark stands in front.
#include "core/io/pickled.h"

#include <algorithm>

#include "core/text/bytes.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr std::string_view kTorchMagic("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19", 14);

// No $, ` or " in it: it stands in double quotes.
constexpr std::string_view kCode =
    "f = lambda s, p='': {p or 'array': s.detach().float().numpy() if hasattr(s, 'detach') else s} "
    "if hasattr(s, 'ndim') else "
    "{k: v for n, i in (s.items() if hasattr(s, 'items') else enumerate(s) if isinstance(s, (list, tuple)) "
    "else ()) "
    "for k, v in f(i, (p and p + '.') + str(n)).items()}; "
    "s = getattr(s, 'state_dict', lambda: s)(); "
    "numpy.savez(sys.argv[2], **f(s))";

// One word of a shell, whatever is in it.
std::string shell_word(std::string_view text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? "'\\''" : std::string(1, c);
  return word += "'";
}

std::string_view without_extension(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  const std::size_t slash = path.rfind('/');
  const bool in_name = dot != path.npos && dot > 0 && (slash == path.npos || dot > slash + 1);
  return in_name ? path.substr(0, dot) : path;
}

}  // namespace

Pickle pickle_in(std::span<const std::byte> start) {
  const std::string_view text = as_text(start);
  if (text.starts_with("PK"))
    return text.substr(0, 512).find("data.pkl") != text.npos ? Pickle::torch : Pickle::none;
  if (text.starts_with(kTorchMagic)) return Pickle::torch;
  const bool protocol = text.size() > 2 && text[0] == '\x80' && text[1] >= 2 && text[1] <= 5;
  // What follows: a frame, a dict, a list, a tuple, a global, a text, a long or a memo.
  return protocol && std::string_view("\x95}](c\x8c\x8aXqK").find(text[2]) != text.npos ? Pickle::other
                                                                                        : Pickle::none;
}

std::string conversion_line(Pickle pickle, std::string_view path) {
  // A name that a terminal would obey is nobody's to type.
  const std::string name = printable(path) == path && !path.empty() ? std::string(path) : "FILE.pt";
  const std::string load = pickle == Pickle::torch
                               ? "import sys, numpy, torch; s = torch.load(sys.argv[1], map_location='cpu'); "
                               : "import sys, numpy, pickle; s = pickle.load(open(sys.argv[1], 'rb')); ";
  std::string line = "python3 -c \"" + load;
  line += kCode;
  return line += "\" " + shell_word(name) + " " + shell_word(std::string(without_extension(name)) + ".npz");
}

std::string pickle_refusal(Pickle pickle, std::string_view path) {
  const std::string what =
      pickle == Pickle::torch ? "it is a PyTorch file (a pickle)" : "it is a Python pickle";
  return what + ", which is a program and is not run here. If you trust it, this line makes an .npz of it: " +
         conversion_line(pickle, path);
}

}  // namespace attn
