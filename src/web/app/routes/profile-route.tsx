import { IntegrationsSection } from '../../features/integrations/integrations-section.tsx';
import { ProfilePage } from '../../features/profile/profile-page.tsx';

/** The profile. Its section about other programs belongs to another feature. */
export function Component() {
  return <ProfilePage integrations={<IntegrationsSection />} />;
}
