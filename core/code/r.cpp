// R. Its arrays know no spreading of a size of 1: a class of stacks does.
#include "core/code/language.h"

namespace attn::code {
namespace {

using enum Binding;

const Spellings kRSpellings{
    {Fn::place, call("place(%N)")},
    {Fn::column, call("column(%M)")},
    {Fn::equal, call("equal(%0, %1)")},
    {Fn::differs, call("differs(%0, %1)")},
    {Fn::larger, call("larger(%0, %1)")},
    {Fn::where, call("where(%0, %1, %2)")},
    {Fn::row_max, call("by_row(%0, max)")},
    {Fn::row_sum, call("by_row(%0, sum)")},
    {Fn::column_sum, call("column_sum(%0)")},
    {Fn::stack_sum, call("stack_sum(%0)")},
    {Fn::running_sum, call("rows_as(%0, cumsum)")},
    {Fn::descending, call("rows_as(%0, descending)")},
    {Fn::product, call("matmul(%0, %1)")},
    {Fn::transposed, call("turned(%0, c(1, 3, 2))")},
    {Fn::exchanged, call("turned(%0, c(2, 1, 3))")},
    {Fn::reshaped, call("reshaped(%0, c(%S, %N, %M))")},
    {Fn::columns, call("columns(%0, %G:%E)")},
    {Fn::rows, call("rows(%0, %G:%E)")},
    {Fn::matrices, call("matrices(%0, %G:%E)")},
    {Fn::picked, call("columns(%0, %L)")},
    {Fn::by_index, call("by_index(%0, %I)")},
    {Fn::by_one_index, call("by_index(%0, %I)")},
    {Fn::beside, call("beside(%0, %1)")},
    {Fn::repeated, call("matrices(%0, rep(seq_len(dim(%0)[1]), each = %F))")},
    {Fn::tiled, call("matrices(%0, rep(seq_len(dim(%0)[1]), times = %F))")},
};

const std::vector<Helper> kRHelpers{
    {"stack",
     "stack <- function(x, size) structure(array(x, size), class = \"stack\")  # heads, rows, columns\n"},
    {"stack_of",
     "stack_of <- function(...) {\n"
     "  m <- list(...)\n"
     "  stack(aperm(array(unlist(m), c(dim(m[[1]]), length(m))), c(3, 1, 2)), c(length(m), dim(m[[1]])))\n"
     "}\n"},
    {"size_of", "size_of <- function(x) if (is.null(dim(x))) c(1, 1, 1) else dim(x)\n"},
    {"spread",
     "spread <- function(x, size) {  # sizes of 1 stand for any size\n"
     "  if (is.null(dim(x))) return(array(x, size))\n"
     "  at <- lapply(1:3, function(k) if (dim(x)[k] == 1) rep(1, size[k]) else seq_len(size[k]))\n"
     "  unclass(x)[at[[1]], at[[2]], at[[3]], drop = FALSE]\n"
     "}\n"},
    {"stack",  // a method, called by operators
     "Ops.stack <- function(e1, e2) {\n"
     "  size <- pmax(size_of(e1), size_of(e2))\n"
     "  stack(get(.Generic)(spread(e1, size), spread(e2, size)), size)\n"
     "}\n"},
    {"matrix_of",
     "matrix_of <- function(x, i) matrix(unclass(x)[min(i, dim(x)[1]), , ], dim(x)[2], dim(x)[3])\n"},
    {"matmul",
     "matmul <- function(a, b) {\n"
     "  y <- array(0, c(max(dim(a)[1], dim(b)[1]), dim(a)[2], dim(b)[3]))\n"
     "  for (i in seq_len(dim(y)[1])) y[i, , ] <- matrix_of(a, i) %*% matrix_of(b, i)\n"
     "  stack(y, dim(y))\n"
     "}\n"},
    {"where",
     "where <- function(condition, then, otherwise) {\n"
     "  size <- pmax(size_of(condition), size_of(then), size_of(otherwise))\n"
     "  condition <- spread(condition, size)\n"
     "  stack(ifelse(!is.na(condition) & condition, spread(then, size), spread(otherwise, size)), size)\n"
     "}\n"},
    {"equal", "equal <- function(a, b) where(a == b, TRUE, FALSE)  # of NaN never\n"},
    {"differs", "differs <- function(a, b) where(a == b, FALSE, TRUE)  # of NaN always\n"},
    {"larger",
     "larger <- function(a, b) {\n"
     "  size <- pmax(size_of(a), size_of(b))\n"
     "  stack(pmax(spread(a, size), spread(b, size)), size)\n"
     "}\n"},
    {"erf", "erf <- function(x) 2 * stack(pnorm(x * sqrt(2)), dim(x)) - 1\n"},
    {"place", "place <- function(n) stack(0:(n - 1), c(1, n, 1))\n"},
    {"column", "column <- function(m) stack(0:(m - 1), c(1, 1, m))\n"},
    {"by_row", "by_row <- function(x, f) stack(apply(x, c(1, 2), f), c(dim(x)[1:2], 1))\n"},
    {"rows_as",
     "rows_as <- function(x, f) {  # apply() puts what it makes of a row first\n"
     "  y <- array(apply(x, c(1, 2), f), dim(x)[c(3, 1, 2)])\n"
     "  stack(aperm(y, c(2, 3, 1)), dim(x))\n"
     "}\n"},
    {"descending", "descending <- function(x) sort(x, decreasing = TRUE, na.last = TRUE)\n"},
    {"column_sum", "column_sum <- function(x) stack(apply(x, c(1, 3), sum), c(dim(x)[1], 1, dim(x)[3]))\n"},
    {"stack_sum", "stack_sum <- function(x) stack(apply(x, c(2, 3), sum), c(1, dim(x)[2:3]))\n"},
    {"turned", "turned <- function(x, order) stack(aperm(unclass(x), order), dim(x)[order])\n"},
    {"reshaped",
     "reshaped <- function(x, size) {  # row after row; R counts columns first\n"
     "  stack(aperm(array(aperm(unclass(x), 3:1), rev(size)), 3:1), size)\n"
     "}\n"},
    {"columns",
     "columns <- function(x, at) stack(unclass(x)[, , at, drop = FALSE], c(dim(x)[1:2], length(at)))\n"},
    {"rows",
     "rows <- function(x, at) stack(unclass(x)[, at, , drop = FALSE], c(dim(x)[1], length(at), "
     "dim(x)[3]))\n"},
    {"matrices",
     "matrices <- function(x, at) stack(unclass(x)[at, , , drop = FALSE], c(length(at), dim(x)[2:3]))\n"},
    {"by_index",
     "by_index <- function(x, index) {\n"
     "  y <- array(0, c(dim(x)[1], dim(index)))\n"
     "  for (i in seq_len(dim(index)[1])) y[, i, ] <- unclass(x)[, min(i, dim(x)[2]), index[i, ] + 1]\n"
     "  stack(y, dim(y))\n"
     "}\n"},
    {"beside",
     "beside <- function(a, b) {\n"
     "  size <- c(dim(a)[1:2], dim(a)[3] + dim(b)[3])\n"
     "  stack(c(unclass(a), unclass(b)), size)\n"
     "}\n"},
};

}  // namespace

const Language kR{
    .name = "r",
    .title = "R",
    .comment = "# ",
    .assign = " <- ",
    .ends = "\n",
    .nan = "NaN",
    .infinity = "Inf",
    .list_begin = "c(",
    .list_end = ")",
    .list_first = 1,
    .stack_begin = "stack_of(\n  ",
    .matrix_begin = "rbind(",
    .row_begin = "c(",
    .row_end = ")",
    .matrix_end = ")",
    .stack_end = ")",
    .next_row = ",\n        ",
    .next_matrix = ",\n  ",
    .indices_begin = "rbind(",
    .indices_end = ")",
    .weights = "weights <- unclass(weights)\n",
    .output = "output <- matrix_of(output, 1)\n",
    .spellings = with_operators(kRSpellings),
    .helpers = kRHelpers,
    .taken = {"c",        "t",          "if",    "in",     "for",     "TRUE",     "FALSE",  "next",
              "function", "stack",      "where", "rows",   "columns", "matrices", "larger", "equal",
              "differs",  "beside",     "place", "column", "spread",  "erf",      "matmul", "turned",
              "reshaped", "descending", "max",   "sum",    "cumsum"}};

}  // namespace attn::code
