import { createPrivateKey, generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto";
import { TokenRejected, type TokenVerifier } from "../../src/auth/token-verifier.ts";

/**
 * Keys for tokens like Firebase's (RS256). The real verifier needs Google's keys from the internet, or asks the emulator
 * about every token, unlike production. The expensive part, checking an RSA signature, is the same here.
 */
export function makeKeys(): { publicKey: string; privateKey: string } {
  return generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
}

/** Signed tokens of `count` freelancers. */
export function signTokens(privateKey: string, count: number): string[] {
  const key = createPrivateKey(privateKey);
  return Array.from({ length: count }, (_, index) => signToken(key, index));
}

function signToken(key: KeyObject, index: number): string {
  const claims = { sub: `bidder-${index}`, email: `bidder-${index}@people.example`, name: `Bidder ${index}` };
  const signed = `${encode({ alg: "RS256", typ: "JWT" })}.${encode({ ...claims, exp: Date.now() / 1000 + 86_400 })}`;
  return `${signed}.${sign("RSA-SHA256", Buffer.from(signed), key).toString("base64url")}`;
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

type Claims = { sub: string; email: string; name: string; exp: number };

/** Verifies the tokens of {@link signTokens}. */
export function rsaVerifier(publicKey: string): TokenVerifier {
  return {
    async verify(token) {
      const end = token.lastIndexOf(".");
      const signature = Buffer.from(token.slice(end + 1), "base64url");
      const claims = token.slice(token.indexOf(".") + 1, end);
      if (!verify("RSA-SHA256", Buffer.from(token.slice(0, end)), publicKey, signature)) {
        throw new TokenRejected("bad signature");
      }
      const { sub, email, name, exp } = JSON.parse(Buffer.from(claims, "base64url").toString()) as Claims;
      if (exp * 1000 < Date.now()) throw new TokenRejected("expired");
      return { uid: sub, email, name, loggedInAt: new Date(), tokenExpiresAt: new Date(exp * 1000) };
    },
  };
}
