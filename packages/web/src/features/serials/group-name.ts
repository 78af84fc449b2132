export type GroupKind = 'regular' | 'promo';

export interface GroupRef {
  name: string;
  kind: GroupKind;
}
