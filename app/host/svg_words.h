// Numbers and colours as SVG has them: fixed decimals, no −0, the same everywhere.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <string>

namespace attn {

std::string hundredths(std::int64_t number);  // 1250: "12.5"
std::string decimal(float number);            // to two decimals
std::string thousandths(float number);        // to three
// Of points of 1/96 inch: "423.33mm".
std::string millimetres(float points);
// The attributes of a fill: ` fill="#0072b2" fill-opacity="0.5"`.
std::string paint(ImU32 colour);

}  // namespace attn
