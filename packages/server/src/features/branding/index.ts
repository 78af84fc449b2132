export { CustomDomain } from './branding.entity.ts';
export { brandingRoutes } from './branding.routes.ts';
export { Branding } from './branding.service.ts';
export { domainRoutes } from './domains.routes.ts';
export { Domains } from './domains.service.ts';
export { inPlaceOfFile, noticeVisit } from './notices.routes.ts';
export { type Asked, Notices } from './notices.service.ts';
