/* SIDL, the Scientific Interface Definition Language, as Babel 2.0 accepts it.
 *
 * The grammar accepts a little more than the language where a later stage can say it better: a
 * class that extends two classes, an import behind a package, an empty enum. The lexer sees bytes
 * (a non-ASCII character is legal in comments and strings only), so every offset is a byte offset.
 *
 * Trees have no children but in expressions: what a rule consists of is told by its labels. Types,
 * methods, struct members, enumerators, imports and requires have no labels: each is read as soon
 * as it ends and is then gone (compiler/frontend/item_parser.hpp).
 */
grammar Sidl;

file : (requireStatement | importStatement | userType)* EOF ;

requireStatement : REQUIRE name=scopedName version=versionClause SEMI ;
importStatement : IMPORT name=scopedName version=versionClause? SEMI ;

versionClause : VERSION value=versionNumber ;
versionNumber : INTEGER | FLOAT | VERSION_STRING ;

// ---- types ------------------------------------------------------------------------------------

userType
    : attributes+=typeAttribute*
      (packageType | enumType | structType | classType | interfaceType) SEMI?
    ;

typeAttribute : FINAL | ABSTRACT | list=attributeList ;

packageType : PACKAGE name=scopedName version=versionClause? LBRACE userType* RBRACE ;

enumType : ENUM name=ID LBRACE (enumerator (COMMA enumerator)* COMMA?)? RBRACE ;
enumerator : name=(ID | VERSION) (ASSIGN value=integer)? ;
integer : (PLUS | MINUS)? INTEGER ;

structType : STRUCT name=ID LBRACE structMember* RBRACE ;
structMember : (value=type name=(ID | VERSION) | raw=rarray) SEMI ;

classType
    : CLASS name=ID (EXTENDS parents=nameList)? interfaces+=implementsClause*
      LBRACE invariants+=invariantClause* method* RBRACE
    ;
implementsClause : (IMPLEMENTS | all=IMPLEMENTS_ALL) types=nameList ;

interfaceType
    : INTERFACE name=ID (EXTENDS parents=nameList)?
      LBRACE invariants+=invariantClause* method* RBRACE
    ;

// ---- methods ----------------------------------------------------------------------------------

// Unlike in Babel, `version` may name what is inside a type: there it cannot be taken for the clause
// of a package.

method
    : attributes+=methodAttribute*
      (nothing=VOID | value=type) name=(ID | VERSION) extension=EXTENSION?
      LPAREN (arguments+=argument (COMMA arguments+=argument)*)? RPAREN
      throwing=throwsClause? origin=fromClause? SEMI
      demands+=requireClause* ensures+=ensureClause*
    ;

methodAttribute
    : ONEWAY | LOCAL | STATIC | ABSTRACT | FINAL | NONBLOCKING | COPY | list=attributeList
    ;

argument
    : attributes+=argumentAttribute* direction=(IN | OUT | INOUT)
      (value=type name=(ID | VERSION) | raw=rarray)
    ;
argumentAttribute : COPY | list=attributeList ;

throwsClause : THROWS types=nameList ;
fromClause : FROM name=scopedName extension=EXTENSION? ;

// ---- type references --------------------------------------------------------------------------

type : basic=primitive | array=arrayType | named=scopedName ;

primitive
    : BOOL | CHAR | INT | LONG | FLOAT_TYPE | DOUBLE | FCOMPLEX | DCOMPLEX | STRING_TYPE | OPAQUE
    ;

arrayType
    : ARRAY LT ((basic=primitive | named=scopedName) (COMMA dimension=integer)?
      (COMMA order=arrayOrder)?)? GT
    ;
arrayOrder : ROW_MAJOR | COLUMN_MAJOR ;

rarray
    : RARRAY LT basic=primitive (COMMA dimension=integer)? GT name=ID
      LPAREN extents+=extent (COMMA extents+=extent)* RPAREN
    ;
extent : extentTerm ((PLUS | MINUS) extentTerm)* ;
extentTerm : extentFactor ((STAR | SLASH) extentFactor)* ;
extentFactor : integer | ID | LPAREN extent RPAREN ;

scopedName : absolute=DOT? parts+=ID (DOT parts+=ID)* ;
nameList : names+=scopedName (COMMA names+=scopedName)* ;

// ---- free-form attributes ---------------------------------------------------------------------

attributeList : ATTRIB LBRACE (entries+=attribute (COMMA entries+=attribute)*)? RBRACE ;
attribute : (ID | keyword) (ASSIGN value=STRING)? ;

// Inside %attrib{…} a keyword is a name like any other.
keyword
    : ABSTRACT | AND | ARRAY | BOOL | CHAR | CLASS | COLUMN_MAJOR | COPY | DCOMPLEX | DOUBLE | ELSE
    | ENSURE | ENUM | EXTENDS | FALSE | FCOMPLEX | FINAL | FLOAT_TYPE | FROM | IFF | IMPLEMENTS
    | IMPLEMENTS_ALL | IMPLIES | IMPORT | IN | INOUT | INT | INTERFACE | INVARIANT | IS | LOCAL
    | LONG | MOD | NONBLOCKING | NOT | NULL_LITERAL | ONEWAY | OPAQUE | OR | ORDER | OUT | PACKAGE
    | PURE | RARRAY | REM | REQUIRE | RESULT | ROW_MAJOR | STATIC | STRING_TYPE | STRUCT | THEN
    | THROWS | TRUE | VERSION | VOID | XOR
    ;

// ---- contracts --------------------------------------------------------------------------------

invariantClause : INVARIANT assertions+=assertion+ ;
requireClause : REQUIRE assertions+=assertion+ ;
ensureClause : ENSURE assertions+=assertion+ ;
assertion : (name=ID COLON)? value=expression SEMI ;

expression : orExpression ((IMPLIES | IFF) orExpression)? ;
orExpression : andExpression ((OR | XOR) andExpression)* ;
andExpression : bitExpression (AND bitExpression)* ;
bitExpression : equalExpression ((AMP | BAR | CARET) equalExpression)* ;
equalExpression : relationExpression ((EQ | NE) relationExpression)* ;
relationExpression : shiftExpression ((LT | GT | LE | GE) shiftExpression)* ;
shiftExpression : sumExpression ((SHL | SHR) sumExpression)* ;
sumExpression : productExpression ((PLUS | MINUS) productExpression)* ;
productExpression : powerExpression ((STAR | SLASH | PERCENT | MOD | REM) powerExpression)* ;
powerExpression : unaryExpression (POWER unaryExpression)* ;
unaryExpression : (PLUS | MINUS | TILDE | NOT | IS) unaryExpression | atom ;
atom
    : ID (LPAREN (expression (COMMA expression)*)? RPAREN)?
    | INTEGER | FLOAT | STRING | CHARACTER
    | TRUE | FALSE | NULL_LITERAL | PURE | RESULT
    | LBRACE number COMMA number RBRACE
    | LPAREN expression RPAREN
    ;
number : (PLUS | MINUS)? (INTEGER | FLOAT) ;

// ---- tokens -----------------------------------------------------------------------------------

ABSTRACT : 'abstract' ;
AND : 'and' ;
ARRAY : 'array' ;
BOOL : 'bool' ;
CHAR : 'char' ;
CLASS : 'class' ;
COLUMN_MAJOR : 'column-major' ;
COPY : 'copy' ;
DCOMPLEX : 'dcomplex' ;
DOUBLE : 'double' ;
ELSE : 'else' ;
ENSURE : 'ensure' ;
ENUM : 'enum' ;
EXTENDS : 'extends' ;
FALSE : 'false' ;
FCOMPLEX : 'fcomplex' ;
FINAL : 'final' ;
FLOAT_TYPE : 'float' ;
FROM : 'from' ;
IFF : 'iff' ;
IMPLEMENTS : 'implements' ;
IMPLEMENTS_ALL : 'implements-all' ;
IMPLIES : 'implies' ;
IMPORT : 'import' ;
IN : 'in' ;
INOUT : 'inout' ;
INT : 'int' ;
INTERFACE : 'interface' ;
INVARIANT : 'invariant' ;
IS : 'is' ;
LOCAL : 'local' ;
LONG : 'long' ;
MOD : 'mod' ;
NONBLOCKING : 'nonblocking' ;
NOT : 'not' ;
NULL_LITERAL : 'null' ;
ONEWAY : 'oneway' ;
OPAQUE : 'opaque' ;
OR : 'or' ;
ORDER : 'order' ;
OUT : 'out' ;
PACKAGE : 'package' ;
PURE : 'pure' ;
RARRAY : 'rarray' ;
REM : 'rem' ;
REQUIRE : 'require' ;
RESULT : 'result' ;
ROW_MAJOR : 'row-major' ;
STATIC : 'static' ;
STRING_TYPE : 'string' ;
STRUCT : 'struct' ;
THEN : 'then' ;
THROWS : 'throws' ;
TRUE : 'true' ;
VERSION : 'version' ;
VOID : 'void' ;
XOR : 'xor' ;

ATTRIB : '%attrib' ;

LBRACE : '{' ;
RBRACE : '}' ;
LPAREN : '(' ;
RPAREN : ')' ;
SEMI : ';' ;
COMMA : ',' ;
DOT : '.' ;
COLON : ':' ;
ASSIGN : '=' ;
EQ : '==' ;
NE : '!=' ;
LT : '<' ;
LE : '<=' ;
GT : '>' ;
GE : '>=' ;
SHL : '<<<' ;
SHR : '>>>' ;
PLUS : '+' ;
MINUS : '-' ;
STAR : '*' ;
POWER : '**' ;
SLASH : '/' ;
PERCENT : '%' ;
AMP : '&' ;
BAR : '|' ;
CARET : '^' ;
TILDE : '~' ;

ID : [A-Za-z] [A-Za-z0-9_]* ;
EXTENSION : '[' [A-Za-z0-9_]+ ']' ;

// 1.2.3 is a version; 1.2 is also a number, and 1 an integer.
VERSION_STRING : [0-9]+ '.' [0-9]+ ('.' [0-9]+)+ ;
INTEGER : [0-9]+ [lL]? | '0' [xX] [0-9A-Fa-f]+ [lL]? ;
FLOAT
    : [0-9]+ '.' [0-9]* EXPONENT? [fFdD]?
    | '.' [0-9]+ EXPONENT? [fFdD]?
    | [0-9]+ EXPONENT [fFdD]?
    | [0-9]+ [fFdD]
    ;
fragment EXPONENT : [eE] [+-]? [0-9]+ ;

STRING : '"' STRING_CHARACTER* '"' ;
fragment STRING_CHARACTER : ~["\\\r\n] | '\\' ~[\r\n] ;
CHARACTER : '\'' (~['\\\r\n] | '\\' [ntbrf\\'"] | '\\' [0-7] [0-7]? [0-7]?) '\'' ;

// Which of them are doc comments is for the lexer's callers to say.
COMMENT : '/*' (~'*' | '*'+ ~[*/])* '*'+ '/' -> channel(HIDDEN) ;
LINE_COMMENT : '//' ~[\r\n]* -> skip ;
BYTE_ORDER_MARK : '\u00EF\u00BB\u00BF' -> skip ;
SPACE : [ \t\r\n\f\u000B]+ -> skip ;

// What is left becomes a token, so that the parser can point at it. An unclosed comment or string
// is one character shorter than a closed one and therefore never wins against it.
BAD_COMMENT : '/*' (~'*' | '*'+ ~[*/])* '*'* ;
BAD_STRING : '"' STRING_CHARACTER* ;
BAD_TEXT : [\u0080-\u00FF]+ | . ;
