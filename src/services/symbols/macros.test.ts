import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainDeclarations } from './macros.ts'

/** What is left, with runs of blanks as one. */
const left = (text: string): string => plainDeclarations(text).replace(/\s+/g, ' ').trim()

const PIECES = ['#if A\n', '#else\n', '#endif\n', '#define M(x) y /* z */\n', '{', '}', '(', ')', '<', '>', ';', ':', '::', ',', '=', '"a{b"', "'{'", 'R"x({)x"', '// {\n', '/* { */', '\\\n', '\n', ' ', 'class ', 'struct X ', 'enum ', 'namespace n ', 'template', 'operator', 'EXPORT ', 'MACRO(a)', 'int ', 'f', 'name ', 'typedef ', 'using ', '~', '*', 'é', '\0']

describe('texts of C and C++ without macros', () => {
  it('keeps every place and every line, whatever the text', () => {
    fc.assert(fc.property(fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 4 })), { maxLength: 60 }), (pieces) => {
      const text = pieces.join('')
      const plain = plainDeclarations(text)
      expect(plain).toHaveLength(text.length)
      for (let at = 0; at < text.length; at += 1) if (plain[at] !== text[at]) expect([plain[at], text[at] === '\n']).toEqual([' ', false])
    }), { numRuns: 500 })
  })

  it.each([
    ['LUA_API int (name) (void *p);', 'int name (void *p);'],
    ['static FMT_INLINE auto f() -> int;', 'static auto f() -> int;'],
    ['class FMT_API buffer : base {};', 'class buffer : base {};'],
    ['class X { EXPORT X(int a); EXPORT ~X(); };', 'class X { X(int a); ~X(); };'],
    ['EXPORT Foo::Foo(int a) {}', 'Foo::Foo(int a) {}'],
    ['BEGIN_NAMESPACE\nMODULE_BEGIN\n\nenum class color { red };', 'enum class color { red };'],
    ['int f(void) PURE;', 'int f(void) ;'],
    ['std::mutex lock GUARDED_BY(other);', 'std::mutex lock ;'],
    ['int deflate OF((stream s, int f));', 'int deflate (stream s, int f) ;'],
    ['json_t *f(FILE *in)\n  ATTRS((pure));', 'json_t *f(FILE *in) ;'],
    ['typedef BOOL (WINAPI *call)(HANDLE h);', 'typedef BOOL ( *call)(HANDLE h);'],
    ['local int f(int a);', 'int f(int a);'],
    ['typedef REMOVE_CONST(T) plain;', 'typedef REMOVE_CONST plain;'],
    ['template <typename T, ENABLE_IF(is<T>::value)> T f(T a);', 'template <typename T > T f(T a);'],
    ['TEST(group, enum) { run(); }', 'TEST( ) { }'],
  ])('blanks what a grammar cannot know: %s', (text, wanted) => {
    expect(left(text)).toBe(wanted)
  })

  it.each(['HANDLE open(int a);', 'static DWORD total;', 'BOOL operator==(X a);', 'struct POINT p;', 'JSON_T x;', 'class JSON { JSON(int a); };', 'Foo bar;', 'unsigned const char a;', 'std::string f(const T& a) const;', 'int a MAX;', 'X const y = z;'])('leaves types and names in capitals where they are: %s', (text) => {
    expect(left(text)).toBe(text)
  })

  it('takes bodies out, but for the types and macros that are declared in them', () => {
    expect(left('int f() { if (a) { b(); } struct P { int x; int g() { return 1; } } p; enum { A }; using K = int; return 2; }')).toBe('int f() { struct P { int x; int g() { } } p; enum { A }; using K = int; }')
    expect(left('int f() {\n#define N 1\n  return N;\n}')).toBe('int f() { #define N 1 }')
    expect(left('int table[] = { 1, 2 };')).toBe('int table[] = { };')
  })

  it('reads parameters with their types after them', () => {
    expect(left('int f(a, b)\n  const char *a;\n  int b;\n{ return 1; }\nint g;')).toBe('int f(a, b) { } int g;')
  })

  it('keeps one branch of what cuts through a declaration, and all others', () => {
    expect(left('class A\n#if OLD\n  : public B\n#endif\n{ int x; };')).toBe('class A : public B { int x; };')
    expect(left('#ifdef __cplusplus\nextern "C" {\n#endif\nint f(void);\n#ifdef __cplusplus\n}\n#endif')).toBe('extern "C" { int f(void); }')
    expect(left('#if A\nint f(\n#else\nint g(\n#endif\nint x);')).toBe('int f( int x);')
    expect(left('#if A\nint f(void);\n#else\nint g(void);\n#endif')).toBe('#if A int f(void); #else int g(void); #endif')
  })

  it('keeps the place of everything, and comes to an end, where a text was made to cost much', () => {
    for (const text of ['#if 1\n'.repeat(20_000), `#if 1\n${'#else\n(\n'.repeat(150_000)}#endif\n`, `F f() : ${'a{1},'.repeat(20_000)}`, '('.repeat(100_000), 'a<'.repeat(50_000), 'ABC(x) '.repeat(20_000), 'int f() { struct X { int g() { '.repeat(4_000)]) expect(plainDeclarations(text)).toHaveLength(text.length)
  })
})
