CREATE TABLE "api_key" (
	"api_key_id" uuid PRIMARY KEY NOT NULL,
	"hash" "bytea" NOT NULL,
	"name" text NOT NULL,
	"scopes" text[] NOT NULL,
	"user_id" uuid NOT NULL,
	"workspace_id" uuid,
	"start" text NOT NULL,
	"last_four" text NOT NULL,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	"created_by" jsonb NOT NULL,
	"expires_at" timestamptz,
	"revoked_at" timestamptz,
	"last_used_at" timestamptz
);
--> statement-breakpoint
CREATE TABLE "membership" (
	"workspace_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"role" text NOT NULL,
	"joined_at" timestamptz DEFAULT now() NOT NULL,
	CONSTRAINT "membership_user_id_workspace_id_pk" PRIMARY KEY("user_id","workspace_id")
);
--> statement-breakpoint
CREATE TABLE "user" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean NOT NULL,
	"name" text,
	"avatar_url" text,
	"created_at" timestamptz DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "workspace" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"personal_of" uuid,
	"plan" text NOT NULL,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	CONSTRAINT "workspace_slug" UNIQUE("slug")
);
--> statement-breakpoint
CREATE TABLE "artifact" (
	"artifact_id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"workspace_id" uuid NOT NULL,
	"slug" text NOT NULL,
	"type" text NOT NULL,
	"title" text NOT NULL,
	"description" text,
	"latest_version" integer NOT NULL,
	"public_view" boolean NOT NULL,
	"public_edit" boolean NOT NULL,
	"viewer_emails" text[] NOT NULL,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	"updated_at" timestamptz DEFAULT now() NOT NULL,
	"created_by" jsonb NOT NULL,
	"creator_id" uuid NOT NULL,
	"deleted_at" timestamptz
);
--> statement-breakpoint
CREATE TABLE "content" (
	"sha256" "bytea" PRIMARY KEY NOT NULL,
	"data" "bytea" NOT NULL,
	"size_bytes" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "project" (
	"project_id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"slug" text NOT NULL,
	"title" text NOT NULL,
	"description" text,
	"icon" text NOT NULL,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	"updated_at" timestamptz DEFAULT now() NOT NULL,
	"deleted_at" timestamptz,
	CONSTRAINT "project_in_workspace" UNIQUE("project_id","workspace_id")
);
--> statement-breakpoint
CREATE TABLE "rendering" (
	"sha256" "bytea" NOT NULL,
	"type" text NOT NULL,
	"renderer" text NOT NULL,
	"data" "bytea" NOT NULL,
	CONSTRAINT "rendering_sha256_type_renderer_pk" PRIMARY KEY("sha256","type","renderer")
);
--> statement-breakpoint
CREATE TABLE "search_document" (
	"artifact_id" uuid PRIMARY KEY NOT NULL,
	"version_number" integer NOT NULL,
	"text" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "version" (
	"artifact_id" uuid NOT NULL,
	"version_number" integer NOT NULL,
	"sha256" "bytea" NOT NULL,
	"size_bytes" integer NOT NULL,
	"changelog" text,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	"created_by" jsonb NOT NULL,
	"restored_from" integer,
	"pruned_at" timestamptz,
	CONSTRAINT "version_artifact_id_version_number_pk" PRIMARY KEY("artifact_id","version_number")
);
--> statement-breakpoint
CREATE TABLE "audit_event" (
	"event_id" uuid PRIMARY KEY NOT NULL,
	"occurred_at" timestamptz DEFAULT now() NOT NULL,
	"kind" text NOT NULL,
	"actor" jsonb NOT NULL,
	"surface" text NOT NULL,
	"workspace_id" uuid,
	"artifact_id" uuid,
	"target_type" text NOT NULL,
	"target_id" text NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"request_id" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "idempotency" (
	"principal" text NOT NULL,
	"key" text NOT NULL,
	"request" "bytea" NOT NULL,
	"status" integer,
	"answer" text,
	"created_at" timestamptz DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_principal_key_pk" PRIMARY KEY("principal","key")
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"job_id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"payload" jsonb NOT NULL,
	"created_at" timestamptz DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_user_id_user_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_workspace_id_workspace_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspace"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "membership" ADD CONSTRAINT "membership_workspace_id_workspace_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspace"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "membership" ADD CONSTRAINT "membership_user_id_user_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workspace" ADD CONSTRAINT "workspace_personal_of_user_user_id_fk" FOREIGN KEY ("personal_of") REFERENCES "public"."user"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "artifact" ADD CONSTRAINT "artifact_creator_id_user_user_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."user"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "artifact" ADD CONSTRAINT "artifact_project" FOREIGN KEY ("project_id","workspace_id") REFERENCES "public"."project"("project_id","workspace_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project" ADD CONSTRAINT "project_workspace_id_workspace_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspace"("workspace_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "search_document" ADD CONSTRAINT "search_document_artifact_id_artifact_artifact_id_fk" FOREIGN KEY ("artifact_id") REFERENCES "public"."artifact"("artifact_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "version" ADD CONSTRAINT "version_artifact_id_artifact_artifact_id_fk" FOREIGN KEY ("artifact_id") REFERENCES "public"."artifact"("artifact_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "api_key_hash" ON "api_key" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "api_key_user" ON "api_key" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "membership_workspace" ON "membership" USING btree ("workspace_id");--> statement-breakpoint
CREATE UNIQUE INDEX "user_email" ON "user" USING btree (lower("email"));--> statement-breakpoint
CREATE UNIQUE INDEX "workspace_personal" ON "workspace" USING btree ("personal_of");--> statement-breakpoint
CREATE UNIQUE INDEX "artifact_slug" ON "artifact" USING btree ("project_id","slug") WHERE "artifact"."deleted_at" IS NULL;--> statement-breakpoint
CREATE INDEX "artifact_workspace" ON "artifact" USING btree ("workspace_id","artifact_id");--> statement-breakpoint
CREATE INDEX "artifact_public" ON "artifact" USING btree ("artifact_id") WHERE "artifact"."public_view" AND "artifact"."deleted_at" IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "project_slug" ON "project" USING btree ("workspace_id","slug") WHERE "project"."deleted_at" IS NULL;--> statement-breakpoint
CREATE INDEX "version_sha256" ON "version" USING btree ("sha256");--> statement-breakpoint
CREATE INDEX "audit_event_artifact" ON "audit_event" USING btree ("artifact_id","event_id");--> statement-breakpoint
CREATE INDEX "audit_event_workspace" ON "audit_event" USING btree ("workspace_id","event_id");--> statement-breakpoint
CREATE INDEX "idempotency_created" ON "idempotency" USING btree ("created_at");--> statement-breakpoint
ALTER TABLE "content" ALTER COLUMN "data" SET STORAGE EXTERNAL;
--> statement-breakpoint
ALTER TABLE "rendering" ALTER COLUMN "data" SET STORAGE EXTERNAL;
--> statement-breakpoint
ALTER TABLE "artifact" SET (fillfactor = 80);
