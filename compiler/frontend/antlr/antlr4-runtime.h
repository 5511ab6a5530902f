// In: nothing. Out: the parts of ANTLR's runtime that the generated lexer and parser, and we, need.
//
// Replaces ANTLR's own header of this name, which includes misc/InterpreterDataReader.h: in ANTLR
// 4.9 with libstdc++, clang before 16 rejects the default constructor there. It is not needed, and
// fewer headers compile faster. From 4.10 on (which has internal/Synchronization.h) ANTLR's own
// header can be used.
#pragma once

#if __has_include("internal/Synchronization.h")
#include_next <antlr4-runtime.h>
#else
#include "BailErrorStrategy.h"
#include "CharStream.h"
#include "CommonToken.h"
#include "CommonTokenStream.h"
#include "DefaultErrorStrategy.h"
#include "Exceptions.h"
#include "FailedPredicateException.h"
#include "InputMismatchException.h"
#include "Lexer.h"
#include "NoViableAltException.h"
#include "Parser.h"
#include "ParserRuleContext.h"
#include "RuntimeMetaData.h"
#include "Vocabulary.h"
#include "WritableToken.h"
#include "atn/ATN.h"
#include "atn/ATNDeserializer.h"
#include "atn/LexerATNSimulator.h"
#include "atn/ParserATNSimulator.h"
#include "atn/PredictionContext.h"
#include "atn/PredictionMode.h"
#include "dfa/DFA.h"
#include "misc/Interval.h"
#include "misc/IntervalSet.h"
#include "tree/ParseTree.h"
#include "tree/TerminalNode.h"
#endif
