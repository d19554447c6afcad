// A check as one edits it: what a file holds comes in, yours becomes a layer that A is compared with.
#pragma once

#include <string>

#include "core/document/document.h"
#include "core/io/dump.h"

namespace attn {

// What was read of a file: its layer becomes A, its stages yours, and Compare shows them.
void take_check(Document& document, const Dump& dump, const std::string& path);

// The same from a document that has taken it.
void put_check(Document& document, const Document& taken);
// How the file of a check is read once more: its names as they are, and what no file says (masks, heads, the
// position) as the layer has it now.
DumpRequest check_request(const Document& document);

// Yours as the layer that A is compared with: A with the numbers of the file typed over its stages. The check
// is off then. Throws Error where they are too many to be typed, or fit no stage.
void put_check_beside_a(Document& document);
// The same of A with mistakes in it.
void put_mistaken_beside_a(Document& document, const LayerSpec& mistaken);

}  // namespace attn
