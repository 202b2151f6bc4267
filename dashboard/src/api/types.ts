/**
 * The shapes of the service's /account API, by name: snake_case, times as ISO 8601 strings in UTC.
 * They come from the routes themselves (routes.gen.ts).
 */
import type { AccountRoutes } from './routes.gen.ts';

/** A route of the account API: its method and path. */
export type RouteName = keyof AccountRoutes;

/** The JSON body that a route takes; null if it takes none. */
export type RouteRequest<Name extends RouteName> = AccountRoutes[Name]['request'];

/** The JSON body that a route responds with; null if it sends none. */
export type RouteResponse<Name extends RouteName> = AccountRoutes[Name]['response'];

/**
 * The signed-in account, and what the service allows. `mail` is false if links are written to the log
 * instead.
 */
export type Session = RouteResponse<'GET /account/session'>;
export type Account = NonNullable<Session['account']>;
export type DeviceSession = RouteResponse<'GET /account/sessions'>['sessions'][number];

export type Key = RouteResponse<'POST /account/keys'>['key'];
/** A key in the list of keys, with its usage. */
export type ListedKey = RouteResponse<'GET /account/keys'>['keys'][number];
/** The members of a key to create; an absent member means no restriction. */
export type NewKey = RouteRequest<'POST /account/keys'>;
/** The members of a key to change. */
export type KeyChange = RouteRequest<'PATCH /account/keys/:id'>;
/** A key with its secret, which the service shows only once. */
export type CreatedKey = RouteResponse<'POST /account/keys'>;
/** A key that replaces another. `ended` lists other keys whose grace period ended early to make room. */
export type RotatedKey = RouteResponse<'POST /account/keys/:id/rotate'>;

export type Plan = RouteResponse<'GET /account/plan'>;
/** The limits of a plan: requests per minute for each key, and the account's shares. */
export type PlanTerms = Plan['plans'][number];
/** The most that an account may use at once, in each process of the service. */
export type PlanShares = Plan['shares'];

export type Overview = RouteResponse<'GET /account/overview'>;
export type Usage = RouteResponse<'GET /account/usage'>;
/** One count. It has `operation` (`none` if no operation matched) or `key_id`, as the usage was grouped. */
export type UsageRow = Usage['rows'][number];
export type Bucket = Usage['bucket'];

/** One line of the request log. `operation` is `none` if the path or method belongs to no operation. */
export type LoggedRequest = RouteResponse<'GET /account/requests'>['requests'][number];
export type AuditEvent = RouteResponse<'GET /account/audit'>['events'][number];
export type AdminAccount = RouteResponse<'GET /account/admin/accounts'>['accounts'][number];
export type DomainList = RouteResponse<'GET /account/admin/lists'>['lists'][number];
