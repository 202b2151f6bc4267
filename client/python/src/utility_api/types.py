"""The results, options and errors of Utility API.

Generated from openapi.json by `npm run docs`. Do not edit.
"""

from typing import Dict, List, Literal, Optional, TypedDict, Union


class DisposableEvidence(TypedDict):
    source: str
    """
    The repository of the list, or what else it is: operator, fetched_list, mail_hosts, own_list,
    provider_directory …
    """
    says: Literal["disposable", "not_disposable"]
    """What the source says of the domain."""
    date: Optional[str]
    """The month in which it said so (YYYY-MM); null if it is not known."""


class MxRecord(TypedDict):
    exchange: str
    """The name of the mail host."""
    priority: int
    """The preference: the lowest is tried first (RFC 5321 §5.1)."""


class SpfResult(TypedDict):
    """SPF of the domain (RFC 7208); null if it was not looked up."""
    status: Literal["found", "none", "invalid", "unknown"]
    """
    invalid: there is a record that receivers ignore, because it is malformed or one of several.
    unknown: DNS failed.
    """
    policy: Optional[Literal["pass", "fail", "softfail", "neutral", "redirect"]]
    """
    The result for hosts that no mechanism before all matches; redirect: another domain decides.
    """
    record: Optional[str]
    """The record as published."""


class DmarcResult(TypedDict):
    """DMARC of the domain (RFC 7489); null if it was not looked up."""
    status: Literal["found", "none", "invalid", "unknown"]
    """
    invalid: there is a record that receivers ignore, because it is malformed or one of several.
    unknown: DNS failed.
    """
    policy: Optional[Literal["none", "quarantine", "reject"]]
    """What the owner requests for failing mail (p)."""
    subdomain_policy: Optional[Literal["none", "quarantine", "reject"]]
    """The same for subdomains (sp); null if policy applies to them."""
    domain: Optional[str]
    """The domain that publishes the record, which applies to its subdomains too."""
    record: Optional[str]
    """The record as published."""


class EmailDetails(TypedDict):
    """Only with details=true."""
    verdict: Literal["deliverable", "risky", "undeliverable", "unknown"]
    """
    The judgment of the address as a whole. It never depends on whether the mailbox exists, which
    cannot be known.
    """
    reasons: List[str]
    """The reasons of the verdict, worst first."""
    score: float
    """From 0 (no mail arrives) to 1 (nothing is wrong)."""
    mx_status: Literal["found", "implicit", "null_mx", "none", "unknown", "not_checked"]
    """
    Mail in the DNS of the domain: MX records, a public address without them (RFC 5321 §5.1), a null
    MX (RFC 7505), none, unknown because DNS failed, or not checked.
    """
    reason: str
    """
    The reason for the value of valid: ok, what is wrong, or dns_… if DNS failed (valid is then
    true).
    """
    normalized: Optional[str]
    """
    One form for all addresses that reach the same mailbox, by the published rules of its provider.
    """
    local_part: Optional[str]
    """The local part without its sub-address, as given."""
    sub_address: Optional[str]
    """The tag after the first + (RFC 5233); null without one."""
    role: bool
    """Whether the local part is a role (info, postmaster …) and not a person."""
    relay: bool
    """Whether the address is an alias at a relay service."""
    parked: bool
    """Whether the mail hosts of the domain belong to a parking service."""
    disposable_evidence: List[DisposableEvidence]
    """
    Who says that the domain, or a parent of it, is disposable, and who says that it is not; empty
    if nothing is known.
    """
    provider: Optional[str]
    """The operator of the best MX host; null if it is not known."""
    mx_records: List[MxRecord]
    """The MX records, best first."""
    spf: Optional[SpfResult]
    """SPF of the domain (RFC 7208); null if it was not looked up."""
    dmarc: Optional[DmarcResult]
    """DMARC of the domain (RFC 7489); null if it was not looked up."""
    suggestion_confidence: Optional[float]
    """Confidence of did_you_mean, from 0 to 1; null without a suggestion."""


class _EmailResultAlways(TypedDict):
    email: str
    """The address that was validated, without outer white space."""
    valid: bool
    """Whether the address is considered valid."""
    disposable: bool
    """Whether the address uses a disposable provider."""
    mx_found: bool
    """Whether MX records exist for the domain. Beside valid: false, none of them is usable."""
    format_valid: bool
    """Whether the address is syntactically correct."""
    did_you_mean: Optional[str]
    """Suggested corrected address when a typo was detected; null otherwise."""
    domain: str
    """The domain part of the address."""
    free_provider: bool
    """Whether the domain belongs to a free email provider."""


class EmailResult(_EmailResultAlways, total=False):
    """The email validation result."""
    details: EmailDetails
    """Only with details=true."""


ErrorCode = Union[
    Literal[
        "invalid_email",
        "invalid_url",
        "missing_html",
        "invalid_page_size",
        "invalid_json",
        "invalid_parameter",
        "unauthorized",
        "forbidden_origin",
        "not_found",
        "method_not_allowed",
        "timeout",
        "payload_too_large",
        "unsupported_media_type",
        "unreachable",
        "render_failed",
        "rate_limit_exceeded",
        "internal",
        "overloaded",
        "unavailable",
    ],
    str,
]
"""The identifier, for programs. More may be added within /v1."""


class _ErrorAlways(TypedDict):
    error: ErrorCode
    """The identifier, for programs. More may be added within /v1."""
    message: str
    """What is wrong and what to do, in one sentence, for people."""
    request_id: str
    """The id of this request, also in X-Request-Id."""


class Error(_ErrorAlways, total=False):
    """The body of every response that is not 2xx."""
    param: str
    """The field at fault, if there is one."""


class _ProblemAlways(TypedDict):
    title: str
    """The name of the HTTP status."""
    type: str
    """The kind of problem, relative to the server. It ends with the identifier."""
    status: int
    """The HTTP status."""
    detail: str
    """The same as message."""
    instance: str
    """This occurrence, relative to the server. It ends with the id of the request."""
    error: ErrorCode
    """The identifier, for programs. More may be added within /v1."""
    message: str
    """What is wrong and what to do, in one sentence, for people."""
    request_id: str
    """The id of this request, also in X-Request-Id."""


class Problem(_ProblemAlways, total=False):
    """An error as problem details (RFC 9457), with the members of Error."""
    param: str
    """The field at fault, if there is one."""


class EmailBatchResult(TypedDict):
    results: List[EmailResult]
    """The results, in the order of the addresses."""


class _EmailBatchLineAlways(TypedDict):
    email: str
    """The address that was validated, without outer white space."""
    valid: bool
    """Whether the address is considered valid."""
    disposable: bool
    """Whether the address uses a disposable provider."""
    mx_found: bool
    """Whether MX records exist for the domain. Beside valid: false, none of them is usable."""
    format_valid: bool
    """Whether the address is syntactically correct."""
    did_you_mean: Optional[str]
    """Suggested corrected address when a typo was detected; null otherwise."""
    domain: str
    """The domain part of the address."""
    free_provider: bool
    """Whether the domain belongs to a free email provider."""


class EmailBatchLine(_EmailBatchLineAlways, total=False):
    """A line of application/x-ndjson."""
    index: int
    """The place of the address in emails, from 0; only with order=false."""
    details: EmailDetails
    """Only with details=true."""


class OpenGraphTags(TypedDict):
    """The Open Graph tags."""
    title: Optional[str]
    """og:title"""
    description: Optional[str]
    """og:description"""
    image: Optional[str]
    """og:image, absolute"""
    url: Optional[str]
    """og:url, absolute"""
    type: Optional[str]
    """og:type"""
    site_name: Optional[str]
    """og:site_name"""


class TwitterTags(TypedDict):
    """The Twitter Card tags."""
    title: Optional[str]
    """twitter:title"""
    card: Optional[str]
    """twitter:card"""
    site: Optional[str]
    """twitter:site"""
    description: Optional[str]
    """twitter:description"""
    image: Optional[str]
    """twitter:image, absolute"""


class PageRedirect(TypedDict):
    url: str
    """The URL that redirected."""
    status: int
    """Its HTTP status; that of a page that refreshed is 200."""


class PageAuthor(TypedDict):
    name: str
    """The name of the author."""
    url: Optional[str]
    """Profile or website of the author, absolute"""


class PageAlternate(TypedDict):
    language: str
    """A BCP 47 tag, or x-default."""
    url: str
    """The URL of the page in that language."""


class PageIcon(TypedDict):
    url: str
    """link rel=icon and the like, absolute"""
    sizes: Optional[str]
    """As declared, like 32x32."""
    type: Optional[str]
    """As declared."""


class MainPageImage(TypedDict):
    """The first of `images`; with probe=true the first that exists."""
    url: str
    """The URL of the image, absolute."""
    width: Optional[int]
    """Pixels, as declared."""
    height: Optional[int]
    """Pixels, as declared."""
    alt: Optional[str]
    """Its description."""


class PageImage(TypedDict):
    url: str
    """The URL of the image, absolute."""
    width: Optional[int]
    """Pixels, as declared."""
    height: Optional[int]
    """Pixels, as declared."""
    alt: Optional[str]
    """Its description."""


class PageVideo(TypedDict):
    url: str
    """og:video, twitter:player or JSON-LD, absolute"""
    type: Optional[str]
    """As declared."""
    width: Optional[int]
    """Pixels, as declared."""
    height: Optional[int]
    """Pixels, as declared."""


class PageAudio(TypedDict):
    url: str
    """og:audio, absolute"""
    type: Optional[str]
    """As declared."""


class PageFeed(TypedDict):
    title: Optional[str]
    """As declared."""
    url: str
    """The URL of the feed."""
    type: Optional[str]
    """As declared."""


class OembedLink(TypedDict):
    url: str
    """The URL of the response."""
    type: Optional[str]
    """As declared."""


class AppLink(TypedDict):
    platform: Literal["ios", "iphone", "ipad", "android", "windows", "web"]
    name: Optional[str]
    """The name of the app."""
    id: Optional[str]
    """Its id in the store: a number, or the name of a package."""
    url: Optional[str]
    """The URL that opens the page in the app, of any scheme but those of scripts and files."""


class PageFile(TypedDict):
    """
    The response if it is not HTML, by its Content-Type or without one by its first bytes; else
    null.
    """
    title: Optional[str]
    """The title of a feed."""
    kind: Literal["image", "pdf", "feed", "audio", "video", "json", "other"]
    type: Optional[str]
    """The media type: of an image by its contents, else by the Content-Type."""
    width: Optional[int]
    """Pixels of an image."""
    height: Optional[int]
    """Pixels of an image."""
    pages: Optional[int]
    """Always null: files are no longer parsed for it."""
    entries: Optional[int]
    """The entries of a feed, as far as it was read."""
    duration_seconds: Optional[float]
    """Always null: files are no longer parsed for it."""


class ProbedFavicon(TypedDict):
    """The favicon of the page."""
    url: str
    """The first candidate that is an image, else the first candidate."""
    exists: Optional[bool]
    """Whether it is an image; null if there was no time or no share left to check."""
    type: Optional[str]
    """The media type by its contents."""
    width: Optional[int]
    """Pixels."""
    height: Optional[int]
    """Pixels."""


class ProbedImage(TypedDict):
    """The image of the page; null if it declares none."""
    url: str
    """The first candidate that is an image, else the first candidate."""
    exists: Optional[bool]
    """Whether it is an image; null if there was no time or no share left to check."""
    type: Optional[str]
    """The media type by its contents."""
    width: Optional[int]
    """Pixels."""
    height: Optional[int]
    """Pixels."""


class ProbedFiles(TypedDict):
    """The checked favicon and image; null without probe=true."""
    favicon: ProbedFavicon
    """The favicon of the page."""
    image: Optional[ProbedImage]
    """The image of the page; null if it declares none."""


class OembedResponse(TypedDict):
    """The oEmbed response of the page; null without oembed=true, or if there is none."""
    title: Optional[str]
    """As the provider has it."""
    url: str
    """The URL that it was fetched from."""
    source: Literal["list", "link"]
    """list: a known provider of the page’s URL; link: named by the page."""
    type: Literal["photo", "video", "link", "rich"]
    author_name: Optional[str]
    """As the provider has it."""
    author_url: Optional[str]
    """http or https."""
    provider_name: Optional[str]
    """As the provider has it."""
    provider_url: Optional[str]
    """http or https."""
    thumbnail_url: Optional[str]
    """http or https."""
    thumbnail_width: Optional[int]
    """Pixels."""
    thumbnail_height: Optional[int]
    """Pixels."""
    photo_url: Optional[str]
    """The URL of a photo; null for other types."""
    width: Optional[int]
    """Pixels."""
    height: Optional[int]
    """Pixels."""
    html: Optional[str]
    """Sanitized HTML of a video or a rich response; null for other types."""


class PageMetadataDetails(TypedDict):
    """Only with details=true."""
    rendered: bool
    """Whether the page was rendered: opened in a browser, which ran its scripts."""
    final_url: str
    """The URL after all redirects."""
    status: int
    """The HTTP status of the page."""
    content_type: Optional[str]
    """The Content-Type of the page."""
    redirects: List[PageRedirect]
    """The redirects that were followed, in order."""
    location: Optional[str]
    """The redirect or the refresh that was not followed, with follow_redirects=false, absolute"""
    truncated: bool
    """
    Whether the page was not read to its end: at the deadline, at 2 MiB, or after a disconnect.
    """
    canonical: Optional[str]
    """link rel=canonical, absolute"""
    manifest: Optional[str]
    """link rel=manifest, absolute"""
    amphtml: Optional[str]
    """link rel=amphtml, absolute"""
    theme_color: Optional[str]
    """meta theme-color"""
    author: Optional[str]
    """The names of `authors`, joined with commas."""
    authors: List[PageAuthor]
    """The authors that the JSON-LD or the metas name."""
    publisher: Optional[str]
    """The name of the publisher or the site."""
    logo: Optional[str]
    """Logo of the publisher, absolute"""
    published_time: Optional[str]
    """ISO 8601. Null if `published_time_raw` is not a date, or has several meanings."""
    published_time_raw: Optional[str]
    """The time of publication as the page writes it."""
    modified_time: Optional[str]
    """ISO 8601. Null if `modified_time_raw` is not a date, or has several meanings."""
    modified_time_raw: Optional[str]
    """The time of the last change as the page writes it."""
    section: Optional[str]
    """The section of the article."""
    article_tags: List[str]
    """article:tag"""
    keywords: List[str]
    """The keywords of the page."""
    locale: Optional[str]
    """og:locale as a BCP 47 tag"""
    locale_alternates: List[str]
    """og:locale:alternate as BCP 47 tags"""
    alternates: List[PageAlternate]
    """The page in other languages: link rel=alternate with hreflang."""
    icons: List[PageIcon]
    """The icons that the page declares."""
    image: Optional[MainPageImage]
    """The first of `images`; with probe=true the first that exists."""
    images: List[PageImage]
    """
    The images that describe the page, best first: og:image, twitter:image, JSON-LD, image_src.
    """
    video: List[PageVideo]
    """The videos of the page."""
    audio: List[PageAudio]
    """The audio of the page."""
    feeds: List[PageFeed]
    """The feeds that the page links: RSS, Atom, JSON Feed."""
    oembed: List[OembedLink]
    """The oEmbed responses that the page links."""
    app_links: List[AppLink]
    """The apps that can open the page, one for each platform."""
    tags: Dict[str, List[str]]
    """
    The contents of each tag whose key starts with og:, twitter:, article: or the like, as the page
    writes them: check a URL before you use it.
    """
    json_ld: List[object]
    """The page’s JSON-LD blocks, parsed."""
    robots: Optional[str]
    """The directives of all metas robots and of the header X-Robots-Tag, each once."""
    blocked: Optional[str]
    """
    The bot wall, consent page or login wall that the site sent in place of the page, like
    cloudflare.
    """
    content_length: Optional[int]
    """The Content-Length of the response, in bytes."""
    file: Optional[PageFile]
    """
    The response if it is not HTML, by its Content-Type or without one by its first bytes; else
    null.
    """
    probed: Optional[ProbedFiles]
    """The checked favicon and image; null without probe=true."""
    oembed_response: Optional[OembedResponse]
    """The oEmbed response of the page; null without oembed=true, or if there is none."""


class _PageMetadataAlways(TypedDict):
    title: Optional[str]
    """Page title."""
    url: str
    """The URL as given."""
    description: Optional[str]
    """Page description."""
    favicon: Optional[str]
    """Absolute URL of the favicon."""
    og: OpenGraphTags
    """The Open Graph tags."""
    twitter: TwitterTags
    """The Twitter Card tags."""
    charset: Optional[str]
    """Character set of the page: the WHATWG name, lower case."""
    language: Optional[str]
    """Language of the page: a canonical BCP 47 tag."""


class PageMetadata(_PageMetadataAlways, total=False):
    """The URL metadata result."""
    details: PageMetadataDetails
    """Only with details=true."""


class _MetadataBatchErrorAlways(TypedDict):
    status: int
    """The HTTP status that a single request would have."""
    error: ErrorCode
    """The identifier, for programs. More may be added within /v1."""
    message: str
    """What is wrong and what to do, in one sentence, for people."""


class MetadataBatchError(_MetadataBatchErrorAlways, total=False):
    """The error of a URL; without it, the URL has a result."""
    param: str
    """The field at fault, if there is one."""


class _MetadataBatchItemAlways(TypedDict):
    index: int
    """The place of the URL in urls, from 0."""
    url: str
    """The URL as given."""


class MetadataBatchItem(_MetadataBatchItemAlways, total=False):
    """
    A URL with its error, or without error with its result: then it has all members of PageMetadata.
    """
    title: Optional[str]
    """Page title."""
    error: MetadataBatchError
    """The error of a URL; without it, the URL has a result."""
    age: int
    """Seconds since the page was fetched, if the result is a cached one."""
    description: Optional[str]
    """Page description."""
    favicon: Optional[str]
    """Absolute URL of the favicon."""
    og: OpenGraphTags
    """The Open Graph tags."""
    twitter: TwitterTags
    """The Twitter Card tags."""
    charset: Optional[str]
    """Character set of the page: the WHATWG name, lower case."""
    language: Optional[str]
    """Language of the page: a canonical BCP 47 tag."""
    details: PageMetadataDetails
    """Only with details=true."""


class MetadataBatchResult(TypedDict):
    results: List[MetadataBatchItem]
    """The items, in the order of the URLs."""


class _PdfDocumentAlways(TypedDict):
    html: str
    """HTML content of this document."""


class PdfDocument(_PdfDocumentAlways, total=False):
    """A document that follows in the same PDF. A member that it omits is as in the request."""
    page_size: Literal["A4", "Letter", "Legal", "A3", "A5"]
    """The sheet."""
    page_width: str
    """
    Width of a sheet of another size: a CSS length from 10mm to 5080mm, together with page_height
    and without page_size.
    """
    page_height: str
    """Height of a sheet of another size: a length like page_width, together with it."""
    orientation: Literal["portrait", "landscape"]
    """landscape makes the longer side of the sheet its width."""
    margin_top: str
    """Top margin: a CSS length in mm, cm, in, px, pt, pc or Q, or 0."""
    margin_bottom: str
    """Bottom margin: a length like margin_top."""
    margin_left: str
    """Left margin: a length like margin_top."""
    margin_right: str
    """Right margin: a length like margin_top."""


class _PdfAttachmentAlways(TypedDict):
    name: str
    """The file name, without slashes. No two may be equal, whatever their case."""
    base64: str
    """The bytes in base64 (RFC 4648): padded, without white space."""


class PdfAttachment(_PdfAttachmentAlways, total=False):
    """A file inside the PDF."""
    media_type: str
    """The media type, without parameters. Default: application/octet-stream."""
    relationship: Literal["source", "data", "alternative", "supplement", "unspecified"]
    """
    The relationship of the file to the document (AFRelationship); case does not matter. Default:
    unspecified.
    """
    description: str
    """A description for readers, in one line."""


class PdfInvoice(TypedDict):
    """
    An electronic invoice (Factur-X, ZUGFeRD, XRechnung): the PDF is PDF/A-3b and has the XML as
    factur-x.xml or xrechnung.xml.
    """
    xml: str
    """
    The XML of the invoice, at most 5 MiB. It has no DTD, and its guideline is that of the profile.
    """
    profile: Literal["MINIMUM", "BASIC WL", "BASIC", "EN 16931", "EXTENDED", "XRECHNUNG"]
    """The profile; case and spaces do not matter."""


class ValidateEmailOptions(TypedDict, total=False):
    """The keyword arguments of validate_email."""
    check_mx: Optional[bool]
    """Whether to check MX records for the domain."""
    suggest: Optional[bool]
    """Whether to suggest corrections for typos."""
    timeout: Optional[int]
    """
    Milliseconds that each lookup of DNS may take; what has not arrived by then proves nothing
    (mx_status unknown).
    """
    details: Optional[bool]
    """Whether to add the member details."""
    policies: Optional[bool]
    """Whether to look up SPF and DMARC of the domain; only with details."""


class ValidateEmailBatchOptions(TypedDict, total=False):
    """The keyword arguments of validate_email_batch."""
    check_mx: Optional[bool]
    """Whether to check MX records for the domains. Default: true."""
    suggest: Optional[bool]
    """Whether to suggest corrections for typos. Default: true."""
    timeout: Optional[int]
    """
    Milliseconds that each lookup of DNS may take; what has not arrived by then proves nothing
    (mx_status unknown). Default: 5000.
    """
    details: Optional[bool]
    """Whether to add the member details. Default: false."""
    policies: Optional[bool]
    """Whether to look up SPF and DMARC of the domains; only with details. Default: false."""


class GetMetadataOptions(TypedDict, total=False):
    """The keyword arguments of get_metadata."""
    follow_redirects: Optional[bool]
    """Whether HTTP redirects are followed."""
    max_redirects: Optional[int]
    """
    Redirects that are followed; a further one is unreachable. A page that refreshes then is
    described itself.
    """
    timeout: Optional[int]
    """Timeout in milliseconds, from the first DNS lookup to the last byte needed."""
    details: Optional[bool]
    """Whether to add the member details."""
    render: Optional[Literal["false", "true", "auto"]]
    """
    Whether the page is opened in a browser, which runs its scripts, before it is read; auto does so
    only if scripts have yet to draw the page.
    """
    probe: Optional[bool]
    """Whether to check that favicon and image exist, and measure them; only with details."""
    oembed: Optional[bool]
    """Whether to fetch the oEmbed response of the page; only with details."""
    language: Optional[str]
    """
    The languages to request from the site, as in Accept-Language: BCP 47 tags, best first, like
    de-CH, de;q=0.9.
    """
    user_agent: Optional[Literal["bot", "preview", "browser"]]
    """
    The program that the service introduces itself as to the site: its bot, its bot that makes a
    link preview, or a current browser.
    """
    max_age: Optional[int]
    """
    The age in seconds up to which a cached result of the same account is accepted; 0 accepts none.
    """


class GetMetadataBatchOptions(TypedDict, total=False):
    """The keyword arguments of get_metadata_batch."""
    follow_redirects: Optional[bool]
    """Whether HTTP redirects are followed. Default: true."""
    max_redirects: Optional[int]
    """
    Redirects that are followed; a further one is unreachable. A page that refreshes then is
    described itself. Default: 10.
    """
    timeout: Optional[int]
    """
    Timeout in milliseconds, from the first DNS lookup to the last byte needed. Default: 10000.
    """
    details: Optional[bool]
    """Whether to add the member details. Default: false."""
    render: Optional[Union[Literal["false", "true", "auto"], bool]]
    """
    Whether the page is opened in a browser, which runs its scripts, before it is read; auto does so
    only if scripts have yet to draw the page. Default: false.
    """
    probe: Optional[bool]
    """
    Whether to check that favicon and image exist, and measure them; only with details. Default:
    false.
    """
    oembed: Optional[bool]
    """Whether to fetch the oEmbed response of the page; only with details. Default: false."""
    language: Optional[str]
    """
    The languages to request from the site, as in Accept-Language: BCP 47 tags, best first, like
    de-CH, de;q=0.9.
    """
    user_agent: Optional[Literal["bot", "preview", "browser"]]
    """
    The program that the service introduces itself as to the site: its bot, its bot that makes a
    link preview, or a current browser. Default: bot.
    """
    max_age: Optional[int]
    """
    The age in seconds up to which a cached result of the same account is accepted; 0 accepts none.
    Default: 0.
    """


class GeneratePdfOptions(TypedDict, total=False):
    """The keyword arguments of generate_pdf."""
    title: Optional[str]
    """The PDF's title, in place of the document's."""
    more_documents: Optional[List[PdfDocument]]
    """
    Documents that follow in the same PDF, each with a sheet and margins of its own. Each counts as
    one request.
    """
    page_size: Optional[Literal["A4", "Letter", "Legal", "A3", "A5"]]
    """The sheet. Default: A4."""
    page_width: Optional[str]
    """
    Width of a sheet of another size: a CSS length from 10mm to 5080mm, together with page_height
    and without page_size.
    """
    page_height: Optional[str]
    """Height of a sheet of another size: a length like page_width, together with it."""
    orientation: Optional[Literal["portrait", "landscape"]]
    """landscape makes the longer side of the sheet its width. Default: portrait."""
    margin_top: Optional[str]
    """Top margin: a CSS length in mm, cm, in, px, pt, pc or Q, or 0. Default: 20mm."""
    margin_bottom: Optional[str]
    """Bottom margin: a length like margin_top. Default: 20mm."""
    margin_left: Optional[str]
    """Left margin: a length like margin_top. Default: 15mm."""
    margin_right: Optional[str]
    """Right margin: a length like margin_top. Default: 15mm."""
    css: Optional[str]
    """Additional CSS, last in <head>. At most 512 KiB."""
    header_html: Optional[str]
    """
    HTML for the page header; {{page}}, {{pages}}, {{title}} and {{date}} are replaced. At most 512
    KiB.
    """
    footer_html: Optional[str]
    """
    HTML for the page footer; {{page}} (current page number), {{pages}} (total pages), {{title}} and
    {{date}} are replaced. At most 512 KiB.
    """
    first_header_html: Optional[str]
    """
    HTML for the header of the first page, in place of header_html; an empty text for none. At most
    512 KiB.
    """
    first_footer_html: Optional[str]
    """HTML for the footer of the first page, in place of footer_html; as first_header_html."""
    watermark_html: Optional[str]
    """HTML on every page, printed on the whole sheet. At most 512 KiB."""
    watermark_position: Optional[Literal["behind", "over"]]
    """Whether the watermark is behind or over the content. Default: behind."""
    template: Optional[Literal["liquid"]]
    """The language of the templates in html, headers, footers and watermark, which data fills."""
    data: Optional[Dict[str, object]]
    """Fills the templates: at most 10,000 values, 8 levels, 1 MiB of JSON. Needs template."""
    scale: Optional[float]
    """Scale of the content. Default: 1."""
    page_ranges: Optional[str]
    """Pages to print, like 1-3,5 or 4-; all by default."""
    print_background: Optional[bool]
    """Whether backgrounds are printed. Default: true."""
    media: Optional[Literal["print", "screen"]]
    """The CSS media type. Default: print."""
    base_url: Optional[str]
    """The http(s) URL against which relative links are resolved."""
    javascript: Optional[bool]
    """Whether scripts run. Default: true."""
    wait_for: Optional[Union[str, int]]
    """
    A CSS selector to wait for, or milliseconds of the document's own time to wait (at most 10000),
    such as 500ms.
    """
    wait_for_expression: Optional[str]
    """JavaScript to wait for, evaluated each time the document is idle until it is truthy."""
    now: Optional[str]
    """The document's clock and the PDF's dates (RFC 3339); the time of the request by default."""
    timezone: Optional[str]
    """
    The time zone of the document's clock, of {{date}} and of dates in templates: a name of the IANA
    database, such as Europe/Berlin; UTC by default.
    """
    tagged: Optional[bool]
    """Whether the PDF is tagged for accessibility. Default: false."""
    outline: Optional[bool]
    """Whether the headings become bookmarks. Default: false."""
    lang: Optional[str]
    """The PDF's language (BCP 47), such as pt-BR; also of a document that declares none."""
    strict: Optional[bool]
    """Whether warnings (see X-PDF-Warnings) are the error render_failed. Default: false."""
    filename: Optional[str]
    """
    The file name in Content-Disposition. .pdf is appended if it is missing. Default: document.pdf.
    """
    attachments: Optional[List[PdfAttachment]]
    """Files inside the PDF, at most 20 MiB together."""
    facturx: Optional[PdfInvoice]
    """
    An electronic invoice (Factur-X, ZUGFeRD, XRechnung): the PDF is PDF/A-3b and has the XML as
    factur-x.xml or xrechnung.xml.
    """
    author: Optional[str]
    """The PDF's author, in one line."""
    subject: Optional[str]
    """The PDF's subject, in one line."""
    keywords: Optional[Union[List[str], str]]
    """The PDF's keywords, at most 4,000 characters together."""
    password: Optional[str]
    """The PDF opens with this password only (AES-256): 1 to 127 bytes of UTF-8. Not in PDF/A."""
    owner_password: Optional[str]
    """The password that lifts permissions: as password, but another one. Not in PDF/A."""
    permissions: Optional[List[Literal["print", "print_high_quality", "modify", "copy", "annotate", "fill_forms", "assemble"]]]
    """What is allowed without owner_password, which it needs; all by default."""
    pdfa: Optional[Literal["3b"]]
    """The PDF conforms to PDF/A-3b (ISO 19005-3), for archives."""
