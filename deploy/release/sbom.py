"""Writes the bill of materials of a built program as SPDX 2.3 JSON, and validates it.

sbom.py PROGRAM VERSION CREATED SWIFT OUTPUT: what the program is linked with is read off the program (ldd, readelf), names
and versions off dpkg, licences off the packages' copyright files. CREATED is a time such as 2026-11-30T12:00:00Z.
"""

from __future__ import annotations

import hashlib
import logging
import re
import subprocess
import sys
import warnings
from datetime import datetime, timezone
from pathlib import Path

from debian.copyright import Copyright, NotMachineReadableError
from license_expression import get_spdx_licensing
from spdx_tools.spdx.model import (
    Actor, ActorType, Checksum, ChecksumAlgorithm, CreationInfo, Document, ExternalPackageRef, ExternalPackageRefCategory,
    ExtractedLicensingInfo, Package, PackagePurpose, Relationship, RelationshipType, SpdxNoAssertion)
from spdx_tools.spdx.validation.document_validator import validate_full_spdx_document
from spdx_tools.spdx.writer.write_anything import write_file

LICENSING = get_spdx_licensing()

#: Debian's short names that SPDX writes differently. What is in neither list keeps its own text.
SPDX_NAMES = {
    "Expat": "MIT", "BSD-2-clause": "BSD-2-Clause", "BSD-3-clause": "BSD-3-Clause", "BSD3": "BSD-3-Clause",
    "BSD-4-Clause-UC": "BSD-4-Clause-UC", "BSL": "BSL-1.0", "CC0": "CC0-1.0", "curl": "curl", "Apache-2": "Apache-2.0",
    "GPL-2": "GPL-2.0-only", "GPL-2+": "GPL-2.0-or-later", "GPL-3": "GPL-3.0-only", "GPL-3+": "GPL-3.0-or-later",
    "LGPL-2": "LGPL-2.0-only", "LGPL-2+": "LGPL-2.0-or-later", "LGPL-2.1+": "LGPL-2.1-or-later",
    "LGPL-3+ or GPL-2+": "LGPL-3.0-or-later OR GPL-2.0-or-later",
    "GPL-2+ or LGPL-3+": "GPL-2.0-or-later OR LGPL-3.0-or-later", "OpenLDAP-2.8": "OLDAP-2.8",
    "BSD-3-clause or GPL-2": "BSD-3-Clause OR GPL-2.0-only", "Zlib": "Zlib", "zlib": "Zlib",
}


def output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def packages_of(program: str) -> tuple[set[str], set[str]]:
    """The Debian packages of the libraries that the program names itself, and of all that are loaded with it."""
    named = set(re.findall(r"Shared library: \[(.+?)\]", output("readelf", "-d", program)))
    direct, loaded = set(), set()
    for line in output("ldd", program).splitlines():
        found = re.match(r"\s*(\S+)(?: => (\S+))? \(0x", line)
        if not found or found[1].startswith("linux-vdso"):
            continue
        path = Path(found[2] or found[1])
        package = owner_of(path)
        loaded.add(package)
        if path.name in named:
            direct.add(package)
    if not direct:
        sys.exit(f"sbom: {program} names no library of Debian")
    return direct, loaded


def owner_of(path: Path) -> str:
    """Debian's /lib is a link to /usr/lib, and dpkg knows some files by the one name, some by the other."""
    for name in (path.resolve(), path, Path("/lib", *path.resolve().parts[3:])):
        found = subprocess.run(["dpkg", "-S", str(name)], capture_output=True, text=True, check=False)
        if found.returncode == 0:
            return found.stdout.split(":")[0]
    sys.exit(f"sbom: no Debian package has {path}")


class Licences:
    """Licence expressions, and the texts behind those that SPDX has no name for."""

    def __init__(self) -> None:
        self.extracted: dict[str, ExtractedLicensingInfo] = {}

    def own(self, name: str, text: str, comment: str) -> str:
        reference = "LicenseRef-" + re.sub(r"[^A-Za-z0-9.]+", "-", name).strip("-")
        self.extracted.setdefault(reference, ExtractedLicensingInfo(
            license_id=reference, extracted_text=text.strip() or name, license_name=name, comment=comment))
        return reference

    def of_package(self, package: str) -> str:
        path = Path("/usr/share/doc", package, "copyright")
        text = path.read_text(encoding="utf-8", errors="replace")
        try:
            parsed = Copyright(text.splitlines(), strict=False)
        except (NotMachineReadableError, ValueError):
            return self.own(f"{package}-copyright", text, f"The whole of {path}, which isn't machine-readable.")
        texts = {one.license.synopsis: one.license.text for one in parsed.all_license_paragraphs() if one.license}
        parts = []
        for files in parsed.all_files_paragraphs():
            if not files.license or not files.license.synopsis:
                continue
            name = " ".join(files.license.synopsis.split())
            known = SPDX_NAMES.get(name) or (name if name in LICENSING.known_symbols else None)
            if not known:
                words = [texts[word] for word in texts if word in name.split()]
                known = self.own(f"{package}-{name}", files.license.text or "\n\n".join(words) or name, f"From {path}.")
            parts.append(f"({known})" if " OR " in known else known)
        return " AND ".join(sorted(set(parts)))

    def parse(self, expression: str):
        return LICENSING.parse(expression)


def debian(package: str, licences: Licences) -> Package:
    wanted = "${Version}|${source:Package}|${source:Version}|${Architecture}|${Maintainer}|${Homepage}"
    version, source, source_version, architecture, supplier, home = output(
        "dpkg-query", "-W", f"-f={wanted}\n", package).splitlines()[0].split("|")
    name, _, mail = supplier.partition(" <")
    return Package(
        spdx_id=f"SPDXRef-{re.sub('[^A-Za-z0-9.]', '-', package)}", name=package, version=version,
        download_location=SpdxNoAssertion(), supplier=Actor(ActorType.ORGANIZATION, name, mail.rstrip(">") or None),
        homepage=home or None, files_analyzed=False, source_info=f"Debian source package {source} {source_version}",
        license_concluded=SpdxNoAssertion(), license_declared=licences.parse(licences.of_package(package)),
        copyright_text=SpdxNoAssertion(), primary_package_purpose=PackagePurpose.LIBRARY,
        external_references=[ExternalPackageRef(
            ExternalPackageRefCategory.PACKAGE_MANAGER, "purl",
            f"pkg:deb/debian/{package.replace('+', '%2B')}@{version.replace('+', '%2B').replace(':', '%3A')}"
            f"?arch={architecture}&distro=debian-12")])


def document(program: str, version: str, created: datetime, swift: str) -> Document:
    licences = Licences()
    digest = hashlib.sha256(Path(program).read_bytes()).hexdigest()
    ecb = licences.own(
        "ECB-reuse", "Source: ECB. The reference rates may be used free of charge if the source is named and they aren't"
        " changed; they are for information only.", "The European Central Bank's terms of reuse, in short.")
    own = Package(
        spdx_id="SPDXRef-fxgateway", name="fxgateway", version=version, download_location=SpdxNoAssertion(),
        files_analyzed=False, checksums=[Checksum(ChecksumAlgorithm.SHA256, digest)], file_name="fxgateway",
        license_concluded=SpdxNoAssertion(), license_declared=SpdxNoAssertion(), copyright_text=SpdxNoAssertion(),
        primary_package_purpose=PackagePurpose.APPLICATION,
        comment="The project states no licence of its own.")
    runtime = Package(
        spdx_id="SPDXRef-swift-runtime", name="swift-runtime", version=swift, download_location="https://www.swift.org/install/linux/",
        files_analyzed=False, license_concluded=SpdxNoAssertion(),
        license_declared=licences.parse("Apache-2.0 WITH Swift-exception AND Unicode-3.0"),
        copyright_text=SpdxNoAssertion(), primary_package_purpose=PackagePurpose.LIBRARY,
        supplier=Actor(ActorType.ORGANIZATION, "Swift project"),
        comment="Standard library, Concurrency, Dispatch and Foundation with its ICU, linked statically.")
    rates = Package(
        spdx_id="SPDXRef-ecb-rates", name="ecb-reference-rates", download_location=SpdxNoAssertion(), files_analyzed=False,
        license_concluded=SpdxNoAssertion(), license_declared=licences.parse(ecb), copyright_text=SpdxNoAssertion(),
        supplier=Actor(ActorType.ORGANIZATION, "European Central Bank"), primary_package_purpose=PackagePurpose.OTHER,
        comment="Reference rates of past days, compiled in for the simulated upstream.")
    llhttp = debian("node-llhttp", licences)
    direct, loaded = packages_of(program)
    libraries = {package: debian(package, licences) for package in sorted(loaded)}
    data = [debian(package, licences) for package in ("ca-certificates", "tzdata")]

    relations = [Relationship("SPDXRef-DOCUMENT", RelationshipType.DESCRIBES, own.spdx_id)]
    for part in (runtime, llhttp):
        relations.append(Relationship(own.spdx_id, RelationshipType.STATIC_LINK, part.spdx_id))
    relations.append(Relationship(own.spdx_id, RelationshipType.CONTAINS, rates.spdx_id))
    for name, package in libraries.items():
        kind = RelationshipType.DYNAMIC_LINK if name in direct else RelationshipType.DEPENDS_ON
        relations.append(Relationship(own.spdx_id, kind, package.spdx_id,
                                      comment=None if name in direct else "Loaded by another library."))
    for package in data:
        relations.append(Relationship(own.spdx_id, RelationshipType.DEPENDS_ON, package.spdx_id))
    return Document(
        creation_info=CreationInfo(
            spdx_version="SPDX-2.3", spdx_id="SPDXRef-DOCUMENT", name=f"fxgateway-{version}-linux-x86_64",
            document_namespace=f"https://spdx.org/spdxdocs/fxgateway-{version}-{digest[:16]}",
            creators=[Actor(ActorType.TOOL, "fxgateway-scripts-release")], created=created),
        packages=[own, runtime, llhttp, rates, *libraries.values(), *data], relationships=relations,
        extracted_licensing_info=sorted(licences.extracted.values(), key=lambda one: one.license_id))


def main(words: list[str]) -> int:
    if len(words) != 5:
        sys.exit(__doc__)
    program, version, created, swift, target = words
    when = datetime.strptime(created, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=timezone.utc).replace(tzinfo=None)
    made = document(program, version, when, swift)
    if faults := validate_full_spdx_document(made):
        for fault in faults:
            print(f"sbom: {fault.validation_message}", file=sys.stderr)
        return 1
    write_file(made, target, validate=False)
    print(f"sbom: {len(made.packages)} packages, {len(made.extracted_licensing_info)} licence texts", file=sys.stderr)
    return 0


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    sys.exit(main(sys.argv[1:]))
