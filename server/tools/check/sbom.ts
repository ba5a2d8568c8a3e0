import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { Enums, Models, Serialize, Spec } from "@cyclonedx/cyclonedx-library";
import {
  idOf,
  lockedChecksums,
  type OwnPackage,
  type ShippedPackage,
  shippedPackages,
} from "./supply-chain/packages.ts";

/** `npm run tool sbom [-- file]`: the software bill of materials (CycloneDX 1.6), to a file or to the terminal. */
export async function main(args: string[]): Promise<void> {
  const { positionals } = parseArgs({ args, allowPositionals: true });
  const [name] = positionals;
  const shipped = shippedPackages();
  const text = `${softwareBill(shipped, lockedChecksums())}\n`;
  if (name === undefined) {
    process.stdout.write(text);
    return;
  }
  const file = resolve(process.env["INIT_CWD"] ?? ".", name);
  writeFileSync(file, text);
  process.stdout.write(`${shipped.packages.length} packages that ship are listed in ${file}\n`);
}

type Shipped = { own: readonly OwnPackage[]; packages: readonly ShippedPackage[] };

/**
 * The software bill of materials in CycloneDX 1.6 JSON: every package that ships, with licence, checksum and dependencies.
 * It has neither timestamp nor serial number, so the same installation always gives the same text.
 * @param checksums from the lock file.
 */
export function softwareBill(
  { own, packages }: Shipped,
  checksums: ReadonlyMap<string, string | undefined>,
): string {
  const bill = new Models.Bom();
  const product = new Models.Component(Enums.ComponentType.Application, "tasklane", { bomRef: "tasklane" });
  bill.metadata.component = product;
  const components = new Map<string, Models.Component>();
  for (const each of packages) {
    const component = componentOf(each, checksums.get(idOf(each)));
    components.set(idOf(each), component);
    bill.components.add(component);
  }
  for (const each of packages) link(components.get(idOf(each)), each.needs, components);
  for (const { name, version, needs } of own) {
    const part = new Models.Component(Enums.ComponentType.Application, name, { version, bomRef: name });
    link(part, needs, components);
    bill.components.add(part);
    product.dependencies.add(part.bomRef);
  }
  const factory = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6);
  return new Serialize.JsonSerializer(factory).serialize(bill, { sortLists: true, space: 2 });
}

function componentOf(each: ShippedPackage, checksum: string | undefined): Models.Component {
  const { name, version, license, homepage } = each;
  const component = new Models.Component(Enums.ComponentType.Library, name, {
    version,
    bomRef: idOf(each),
    purl: packageUrl(each),
  });
  if (license) component.licenses.add(licenceOf(license));
  if (checksum?.startsWith(SHA512))
    component.hashes.set(
      Enums.HashAlgorithm["SHA-512"],
      Buffer.from(checksum.slice(SHA512.length), "base64").toString("hex"),
    );
  if (homepage && URL.canParse(homepage))
    component.externalReferences.add(
      new Models.ExternalReference(homepage, Enums.ExternalReferenceType.Website),
    );
  return component;
}

const SHA512 = "sha512-";

function licenceOf(expression: string): Models.License {
  return / /.test(expression) ? new Models.LicenseExpression(expression) : new Models.SpdxLicense(expression);
}

/** https://github.com/package-url/purl-spec: the @ of a scope is percent-encoded, its slash is not. */
function packageUrl({ name, version }: ShippedPackage): string {
  const path = name.split("/").map(encodeURIComponent).join("/");
  return `pkg:npm/${path}@${encodeURIComponent(version)}`;
}

function link(
  from: Models.Component | undefined,
  needs: readonly string[],
  components: ReadonlyMap<string, Models.Component>,
): void {
  for (const id of needs) {
    const target = components.get(id);
    if (target) from?.dependencies.add(target.bomRef);
  }
}
