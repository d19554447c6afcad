// SVG pictures that carry the session they show.
#pragma once

#include <string>
#include <string_view>

#include "core/io/text_source.h"
#include "core/text/bytes.h"

namespace attn {

// The element <metadata> of a picture that carries `session` (JSON, UTF-8): packed by zlib, in base64, in a
// namespace of its own. Empty when the session is.
std::string session_metadata(std::string_view session);

// Text as XML holds it: markup escaped, and what XML 1.0 has no way to write as U+FFFD.
std::string xml_text(std::string_view text);

// Whether a file that begins like this is SVG: markup alone stands before its root.
bool is_svg(Bytes start);

// The session in a picture; nothing else of it is looked at. Untrusted input: only what stands in our
// element of its metadata is decoded, and the session is unpacked as it is read. Other programs may have
// written the file anew: prefixes and white space are theirs. `file` outlives the source. Throws Error when
// there is none or it is damaged, the source too.
TextSource session_in_svg(Bytes file, ProgressCallback progress = {});

}  // namespace attn
